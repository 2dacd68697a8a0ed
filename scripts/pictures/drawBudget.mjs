// Draws how a prompt fills its budget: a real conversation through the context layer, with more messages than fit.
import { ContextManager } from '../../compiled/context/index.js';
import { escapeXml } from './drawTerminal.mjs';

const MAX_BYTES = 4096;
const WINDOW = 14;
const WIDTH = 760;
const BAR = { left: 20, top: 62, width: 720, height: 44 };
const PARTS = [
  ['system', 'system prompt', '#8250df'],
  ['task', 'team task', '#bf3989'],
  ['context', 'earlier messages, newest first', '#0969da'],
  ['message', 'current message', '#1a7f37'],
];
const FATES = {
  current: '#1a7f37',
  kept: '#0969da',
  pinned: '#0969da',
  budget: '#d1242f',
  window: '#afb8c1',
};
const FONT = 'font-family="system-ui, \'Segoe UI\', Helvetica, Arial, sans-serif"';

/** The picture: the budget as a bar with its sections, and below it the messages, each in the colour of what became of it. */
export function drawBudget() {
  const plan = makePlan();
  const scale = BAR.width / plan.maxBytes;
  let left = BAR.left;
  const sections = PARTS.map(([name, label, colour]) => {
    const bytes = plan.sections[name];
    const drawn = drawSection({ left, width: bytes * scale, bytes, label, colour });
    left += bytes * scale;
    return drawn;
  });
  const height = 262;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    '<title>How a prompt fills its byte budget</title>',
    '<desc>The system prompt, the team task and the current message come first; the newest earlier messages fill the rest, and the oldest are left out.</desc>',
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<g ${FONT} font-size="13" fill="#24292f">`,
    `<text x="${BAR.left}" y="34" font-size="15" font-weight="600">context.maxBytes = ${plan.maxBytes.toLocaleString('en')}: ${plan.totalBytes.toLocaleString('en')} bytes are sent</text>`,
    `<rect x="${BAR.left}" y="${BAR.top}" width="${BAR.width}" height="${BAR.height}" fill="#f6f8fa" stroke="#d0d7de"/>`,
    ...sections,
    ...drawMessages(plan),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function makePlan() {
  const manager = new ContextManager({ contextWindowSize: WINDOW, maxBytes: MAX_BYTES });
  manager.setTeamTask('Design a sign-in for the team wiki that survives a leaked key.');
  for (let number = 1; number <= 20; number += 1)
    manager.addMessage({
      content: `Point ${number}: ${'what was said about it, in a few words. '.repeat(6 + (number % 5))}`,
      speaker: { roleId: `member-${number % 3}`, roleName: ['ann', 'ben', 'cat'][number % 3], type: 'ai' },
    });
  return manager.explainPrompt('member-0', 'claude-code', {
    systemInstruction: 'You propose one design at a time and name its price. '.repeat(6),
  }).plan;
}

function drawSection({ left, width, bytes, label, colour }) {
  const middle = left + width / 2;
  const text = width > 150 ? `${label}, ${bytes.toLocaleString('en')}` : bytes.toLocaleString('en');
  return (
    `<rect x="${round(left)}" y="${BAR.top}" width="${round(width)}" height="${BAR.height}" fill="${colour}" stroke="#ffffff"/>` +
    (width < 30
      ? ''
      : `<text x="${round(middle)}" y="${BAR.top + 27}" text-anchor="middle" fill="#ffffff">${escapeXml(text)}</text>`)
  );
}

/** A square for each message of the conversation, the oldest first, and what the colours say. */
function drawMessages({ messages }) {
  const fates = messages.flatMap(({ count, inclusion }) => Array(count).fill(inclusion));
  const step = BAR.width / fates.length;
  const squares = fates.map(
    (fate, index) =>
      `<rect x="${round(BAR.left + index * step + 2)}" y="146" width="${round(step - 4)}" height="26" rx="3" fill="${FATES[fate]}"/>` +
      `<text x="${round(BAR.left + (index + 0.5) * step)}" y="163.5" text-anchor="middle" font-size="12" fill="#ffffff">${index + 1}</text>`,
  );
  const legend = [
    ...PARTS.map(([, label, colour]) => [label, colour]),
    ['left out: over the byte budget', FATES.budget],
    [`left out: before the last ${WINDOW}`, FATES.window],
  ].map(([text, colour], index) => {
    const left = BAR.left + (index % 3) * 250;
    const top = 200 + Math.floor(index / 3) * 26;
    return `<rect x="${left}" y="${top}" width="14" height="14" rx="3" fill="${colour}"/><text x="${left + 22}" y="${top + 12}">${escapeXml(text)}</text>`;
  });
  return [`<text x="${BAR.left}" y="136">messages, the oldest first</text>`, ...squares, ...legend];
}

function round(number) {
  return Math.round(number * 100) / 100;
}
