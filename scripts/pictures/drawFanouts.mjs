// Draws what three members see of each other in the three ways to ask several, from three real runs with simulated agents.

import { resolveTeam } from '../../compiled/config/resolveTeam.js';
import { explainTurns } from '../../compiled/coordinator/explainTurn.js';
import { createConversation } from '../../compiled/createConversation.js';
import { escapeXml } from './drawTerminal.mjs';

const MODES = ['sequential', 'same-question', 'blind'];
const NAMES = ['ann', 'ben', 'cat'];
const BOX = { width: 74, height: 32, gap: 20 };
const PANEL = { width: 300, height: 214 };
const LEGEND_HEIGHT = 40;
const INK = {
  line: '#57606a',
  text: '#24292f',
  box: '#eaeef2',
  edge: '#d0d7de',
  person: '#ddf4ff',
  reply: '#0969da',
};
const FONT = "font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, 'Noto Sans CJK SC', sans-serif\"";

/** The picture: a panel for each mode, with an arrow from everything a member saw to that member. */
export async function drawFanouts() {
  const panels = [];
  for (const mode of MODES) panels.push(drawPanel(mode, await askAll(mode), panels.length));
  const width = PANEL.width * MODES.length;
  const height = PANEL.height + LEGEND_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>The three ways to ask several members</title>',
    '<desc>Sequential: each sees the question and the replies before its own. Same question: each sees the question and the replies before its own, but answers the question. Blind: each sees the question only.</desc>',
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker></defs>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<g ${FONT} font-size="14" fill="${INK.text}">`,
    ...panels,
    ...drawLegend(),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** For each member in turn: the message it answered and the other messages in its prompt, by who wrote them. */
async function askAll(fanout) {
  const members = [
    { name: 'you', type: 'human' },
    ...NAMES.map((name) => ({ name, type: 'ai', agentType: 'claude' })),
  ];
  const { team } = resolveTeam({ version: 1, members, routing: { fanout } });
  const conversation = await createConversation({ team, rehearsal: {} });
  try {
    await conversation.send('Which database? [NEXT: ann, ben, cat]');
    await conversation.settled();
    const messages = [];
    for await (const event of conversation.history())
      if (event.type === 'message-added') messages.push(event.message);
    const seen = [];
    for await (const { plan } of explainTurns(conversation.history())) seen.push(sourcesIn(plan, messages));
    return seen;
  } finally {
    await conversation.close();
  }
}

/** Of a plan's runs of messages, those in the prompt, with who wrote them. */
function sourcesIn(plan, messages) {
  const positionOf = (id) => messages.findIndex((message) => message.id === id);
  return plan.messages
    .filter(({ inclusion }) => ['kept', 'pinned', 'current'].includes(inclusion))
    .flatMap(({ first, count, inclusion }) =>
      messages
        .slice(positionOf(first), positionOf(first) + count)
        .map(({ speaker }) => ({ from: speaker.roleName, isAsked: inclusion === 'current' })),
    );
}

function drawPanel(mode, seen, index) {
  const start = index * PANEL.width;
  const left = start + (PANEL.width - NAMES.length * BOX.width - (NAMES.length - 1) * BOX.gap) / 2;
  const centreOf = (name) =>
    name === 'you'
      ? { x: start + PANEL.width / 2, y: 76 }
      : { x: left + NAMES.indexOf(name) * (BOX.width + BOX.gap) + BOX.width / 2, y: 164 };
  const arrows = seen.flatMap((sources, at) =>
    sources.map(({ from, isAsked }) =>
      drawArrow(centreOf(from), centreOf(NAMES[at]), from === 'you', isAsked),
    ),
  );
  const boxes = ['you', ...NAMES].map((name) => drawBox(name, centreOf(name)));
  return `<text x="${start + PANEL.width / 2}" y="30" text-anchor="middle" font-weight="600">"fanout": "${escapeXml(mode)}"</text>${arrows.join('')}${boxes.join('')}`;
}

function drawLegend() {
  return [
    ['answers this message', true],
    ['sees it as an earlier message', false],
  ].map(([text, isAsked], index) => {
    const left = 180 + index * 260;
    const y = PANEL.height + 16;
    return `${drawLine(`M${left} ${y}L${left + 44} ${y}`, INK.line, isAsked)}<text x="${left + 54}" y="${y + 5}">${text}</text>`;
  });
}

function drawBox(name, { x, y }) {
  const fill = name === 'you' ? INK.person : INK.box;
  return (
    `<rect x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="8" fill="${fill}" stroke="${INK.edge}"/>` +
    `<text x="${x}" y="${y + 5}" text-anchor="middle">${name}</text>`
  );
}

/** The question comes from above, replies along a bow below; dashed where it is read but not asked about. */
function drawArrow(from, to, isQuestion, isAsked) {
  const half = BOX.height / 2;
  const path = isQuestion
    ? `M${from.x} ${from.y + half}L${to.x} ${to.y - half - 2}`
    : `M${from.x} ${from.y + half}Q${(from.x + to.x) / 2} ${from.y + half + 14 + (to.x - from.x) / 9} ${to.x - 6} ${to.y + half + 2}`;
  return drawLine(path, isQuestion ? INK.line : INK.reply, isAsked);
}

function drawLine(path, colour, isAsked) {
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.6"${isAsked ? '' : ' stroke-dasharray="5 4"'} marker-end="url(#tip)"/>`;
}
