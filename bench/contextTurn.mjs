// W1: one context turn over "join the kept lines once, measure once, encode once".
import { ContextManager } from '../compiled/context/index.js';
import { promptLiterally } from './literal.mjs';
import { compare, costsBySize, geometricMean, goal, growthExponent, table, time } from './measure.mjs';

const scripts = {
  ascii: 'The quick brown fox jumps. ',
  cjk: '我们先看一下现有的代码再说。',
  emoji: '🚀 done ✅ 好的 ',
};
const MAX_CASE_BYTES = 20_000_000;
const DEFAULT_MAX_BYTES = 786_432;
const LITERAL_MAX_WINDOW = 1000;
const GROWTH = [10_000, 30_000, 100_000];
const speakers = ['kailai', 'max', 'sarah', 'carol'];

export function contextTurn() {
  console.log('\nW1 context turn: getContextForAgent + assemblePrompt + UTF-8, CPU time per turn\n');
  const rows = [['window x size, script, budget', 'µs', 'floor µs', 'ratio', 'documents']];
  // What runs first pays for the compiler; nobody asked what that costs.
  for (const over of [false, true]) measureCase(1000, 100, 'cjk', over);
  measureCase(5, 100, 'ascii', false);
  const ratios = [];
  let worst = 0;
  for (const window of [5, 1000, 100_000]) {
    for (const size of [100, 1000, 10_000, 100_000]) {
      if (window * size > MAX_CASE_BYTES) continue;
      for (const script of Object.keys(scripts)) {
        for (const over of [false, true]) {
          const { ours, floor, literal } = measureCase(window, size, script, over);
          const ratio = ours / floor;
          ratios.push(ratio);
          if (ours > 10) worst = Math.max(worst, ratio);
          const name = `${window} x ${size} B, ${script}, ${over ? '10x over' : 'within'}`;
          rows.push([
            name,
            ours.toFixed(1),
            floor.toFixed(1),
            ratio.toFixed(2),
            literal ? `${(literal / ours).toFixed(1)}x slower` : '-',
          ]);
        }
      }
    }
  }
  table(rows);
  console.log();
  goal('W1 geometric mean over the floor', geometricMean(ratios), 1.4, 'x');
  goal('W1 worst case over 10 µs', worst, 2.0, 'x');
  for (const over of [false, true]) {
    const budget = over ? '10x over budget' : 'within budget';
    const works = new Map(GROWTH.map((window) => [window, prepareCase(window, 100, 'ascii', over)]));
    const exponentOf = (contender) =>
      growthExponent(
        costsBySize(GROWTH, (window) => works.get(window)[contender], { rounds: 9, roundMilliseconds: 30 }),
      );
    goal(`W1 growth exponent ${budget}, 10,000 to 100,000 messages`, exponentOf('ours'), 1.15);
    console.log(`       the floor's: ${exponentOf('floor').toFixed(2)}`);
  }
  otherShapes();
  addMessage();
}

/** What the grid above does not have: a message far over the budget, none that fits, and input that no manager has made. */
function otherShapes() {
  const long = (size) => createMessages(1, size, 'ascii')[0];
  const shapes = {
    'current message of 8 MB': caseOf([long(100), long(8e6)], 5, DEFAULT_MAX_BYTES),
    'five of 1.6 MB, none fits': caseOf([...Array(5).fill(long(1.6e6)), long(100)], 5, DEFAULT_MAX_BYTES),
  };
  for (const type of ['claude-code', 'openai-codex', 'google-gemini', 'command'])
    shapes[`1,000 x 100 B, cjk, made by hand, ${type}`] = caseByHand(type);
  console.log();
  for (const [name, { ours, floor }] of Object.entries(shapes)) {
    const costs = compare({ ours, floor }, { rounds: 7 });
    const figures = `${costs.ours.toFixed(1)} µs, floor ${costs.floor.toFixed(1)} µs`;
    console.log(`       ${name}: ${figures}, ${(costs.ours / costs.floor).toFixed(2)}x`);
  }
}

/** The lines of such input are made anew each time. */
function caseByHand(type) {
  const manager = new ContextManager({ contextWindowSize: 1000, maxBytes: 1e6 });
  for (const message of createMessages(1001, 100, 'cjk')) manager.addMessage(message);
  const { contextMessages, ...input } = manager.getContextForAgent('max', type);
  const byHand = contextMessages.map((message) => ({ ...message }));
  const ours = () =>
    Buffer.from(manager.assemblePrompt(type, { ...input, contextMessages: [...byHand] }).prompt);
  return { ours, floor: floorOf(ours, 1e6) };
}

function measureCase(window, size, script, over) {
  const { messages, maxBytes, ours, floor } = prepareCase(window, size, script, over);
  const measured = compare({ ours, floor }, { rounds: window * size > 1_000_000 ? 5 : 7 });
  if (window > LITERAL_MAX_WINDOW || window * size > 1_000_000) return measured;
  // It may take a second a call, and is only there to be seen.
  const literal = time(() => promptLiterally(messages, window, maxBytes), {
    rounds: 1,
    roundMilliseconds: 1,
  });
  return { ...measured, literal };
}

function prepareCase(window, size, script, over) {
  const messages = createMessages(window + 1, size, script);
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + 24, 0);
  const maxBytes = over ? Math.max(256, Math.floor(bytes / 10)) : bytes * 2;
  return { messages, maxBytes, ...caseOf(messages, window, maxBytes) };
}

function caseOf(messages, window, maxBytes) {
  const manager = new ContextManager({ contextWindowSize: window, maxBytes });
  for (const message of messages) manager.addMessage(message);
  const ours = () => {
    const input = manager.getContextForAgent('max', 'claude-code');
    return Buffer.from(manager.assemblePrompt('claude-code', input).prompt);
  };
  return { ours, floor: floorOf(ours, maxBytes) };
}

function floorOf(ours, maxBytes) {
  // Flat strings, as a reader of lines would hold them.
  const keptLines = ours().toString().split('\n');
  return () => {
    const prompt = keptLines.join('\n');
    if (Buffer.byteLength(prompt) > maxBytes) throw new Error('over budget');
    return Buffer.from(prompt);
  };
}

function createMessages(count, size, script) {
  const unit = scripts[script];
  const text = unit.repeat(Math.ceil(size / Buffer.byteLength(unit)));
  return Array.from({ length: count }, (_, index) => ({
    content: `${index} ${text}`,
    speaker: {
      roleId: speakers[index % 4],
      roleName: speakers[index % 4],
      roleTitle: '',
      type: index % 4 ? 'ai' : 'human',
    },
    routing: { resolvedAddressees: [speakers[(index + 1) % 4]] },
    timestamp: index,
  }));
}

function addMessage() {
  console.log();
  const messages = createMessages(1000, 100, 'ascii');
  for (const count of [10_000, 100_000, 1_000_000]) {
    const cost = time(() => addMany(messages, count), {
      rounds: count > 100_000 ? 5 : 15,
      roundMilliseconds: 1,
    });
    goal(`addMessage of 100 B, ${count} in a row`, cost / count, 0.5, ' µs');
  }
  goal('addMessage heap above the text', heapPerMessage(), 400, ' B');
}

function addMany(messages, count) {
  const manager = new ContextManager();
  for (let index = 0; index < count; index++) manager.addMessage(messages[index % messages.length]);
  return manager;
}

function heapPerMessage() {
  const count = 200_000;
  const [message] = createMessages(1, 100, 'ascii');
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const manager = new ContextManager();
  for (let index = 0; index < count; index++) manager.addMessage(message);
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / count;
  if (manager.getLatestMessage() === null) throw new Error('the messages were collected');
  return bytes;
}
