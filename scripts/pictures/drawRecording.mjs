// Draws what a terminal showed over time as one SVG that plays by itself: each row stands there from when it came until it changed.
import { drawRows, drawSvg } from './drawTerminal.mjs';

const LAST_FRAME_MILLISECONDS = 4000;

/** `frames` are screens, each with the time at which it was seen. */
export function drawRecording(frames, { columns, rows, title, description }) {
  const start = frames[0].at;
  const duration = frames.at(-1).at + LAST_FRAME_MILLISECONDS - start;
  const spells = spellsOf(frames, rows).map(({ drawing, from, to = start + duration }) => ({
    drawing,
    from: from - start,
    to: to - start,
  }));
  const style = `<style>${spells.map((spell, index) => ruleOf(spell, index, duration)).join('')}</style>`;
  const drawn = spells.map(({ drawing }, index) => `<g class="r${index}">${drawing}</g>`);
  return drawSvg([style, ...drawn], { columns, rows, title, description });
}

/** Shows a row in its time only. */
function ruleOf({ from, to }, index, duration) {
  const moments = [
    [0, from === 0 ? 'visible' : 'hidden'],
    ...(from === 0 ? [] : [[from, 'visible']]),
    ...(to === duration ? [] : [[to, 'hidden']]),
  ];
  const share = (milliseconds) => Math.round((milliseconds / duration) * 100_000) / 1000;
  const frames = moments.map(([at, value]) => `${share(at)}%{visibility:${value}}`).join('');
  return `@keyframes k${index}{${frames}}.r${index}{animation:k${index} ${duration}ms step-end infinite}`;
}

/** The rows as they are drawn, with the times between which they stood there; the last ones have no end. */
function spellsOf(frames, rowCount) {
  const done = [];
  const open = new Map();
  for (const { screen, at } of frames) {
    const rows = drawRows(screen);
    for (let row = 0; row < rowCount; row += 1) {
      const drawing = rows[row] ?? '';
      const before = open.get(row);
      if (before?.drawing === drawing) continue;
      if (before !== undefined) done.push({ ...before, to: at });
      if (drawing === '') open.delete(row);
      else open.set(row, { drawing, from: at });
    }
  }
  return [...done, ...open.values()];
}
