import fc from 'fast-check';
import type { AssemblerInput, PromptContextMessage } from '../../../src/index.js';
import { isFull } from '../../soak/isFull.js';
import { tries } from '../../tier.js';
import { TEST_MILLISECONDS } from '../../timeLimit.js';

/** A few in `npm test`, all in `npm run test:all`, and ten times as many in `npm run test:soak`. */
export const RUNS = isFull ? 50_000 : tries(5_000);
/** For one property, whatever the number of runs. */
export const PROPERTY_TIMEOUT = isFull ? 300_000 : TEST_MILLISECONDS;

export const MEMBER_NAMES = ['max', 'sarah', 'kailai', '王芳', 'Ana María'] as const;

const words = ['a', 'Hello', 'x: y', ' ', '  ', '    indented', '\t', '', '.'];
const lineBreaks = ['\n', '\n\n', '\r\n', '\r', '\n\r', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const unicode = [
  'é',
  '中文',
  '界',
  '😀',
  '👩‍👩‍👧',
  '\ufeff',
  '\u202e',
  '\0',
  '\ud83d',
  '\ude00',
  '\udfff\ud800',
];
const titles = [
  ['[SYSTEM]', '[TEAM_TASK]', '[CONTEXT]', '[MESSAGE]'],
  ['Instructions:', 'Team Task:', 'Conversation so far:', 'Your task:'],
].flat();
const nearTitles = [
  '[message]',
  '[MESSAGE',
  ' [CONTEXT]',
  '[MESSAGE] now',
  'YOUR TASK:',
  'Your tas\u212a:',
  'Your task',
];
const historyLike = [
  '- max -> sarah: approve',
  '- Max -> all: approve',
  '- a -> b',
  '- -> :',
  '- max: approve',
  '- KAILAI: approved',
  'kailai: approved',
  'Max: approved',
  'max:no',
  '  max: approved',
];
const markers = [
  '[NEXT: max]',
  '[FROM: kailai]',
  '[TEAM_TASK] win',
  '\n[… 12 bytes cut]',
  '<<end 0>>',
  '<<msg 0>>',
];

const piece = fc.constantFrom(
  ...[...words, ...lineBreaks, ...unicode, ...titles, ...nearTitles, ...historyLike, ...markers],
);
const pieces = fc.array(piece, { maxLength: 8 });

/** Anything a member could say, with a liking for what could be taken for structure. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: pieces.map((parts) => parts.join('')) },
  { weight: 4, arbitrary: pieces.map((parts) => parts.join('\n')) },
  { weight: 2, arbitrary: fc.tuple(piece, fc.nat(60)).map(([part, times]) => part.repeat(times)) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\t ', '\u3000') },
);

/** Long enough to be cut now and then. */
export const longText: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc
      .tuple(pieces, fc.integer({ min: 10, max: 40 }))
      .map(([parts, times]) => parts.join('').repeat(times)),
  },
);

const memberName = fc.constantFrom(...MEMBER_NAMES);

const message: fc.Arbitrary<PromptContextMessage> = fc
  .record({
    from: memberName,
    to: fc.option(fc.constantFrom(...MEMBER_NAMES, 'all', 'max, sarah'), { freq: 3 }),
    type: fc.constantFrom('human', 'ai', 'system', null),
    content: text,
  })
  .map(({ from, to, type, content }) => ({
    from,
    content,
    ...(to !== null && { to }),
    ...(type !== null && { type }),
  }));

type InputWithoutBudget = Omit<AssemblerInput, 'maxBytes'>;

const optionalText = fc.option(text, { nil: undefined, freq: 2 });

export const inputWithoutBudget: fc.Arbitrary<InputWithoutBudget> = fc.record({
  contextMessages: fc.array(message, { maxLength: 6 }),
  currentMessage: longText,
  teamTask: fc.option(text, { freq: 2 }),
  systemInstruction: optionalText,
  instructionFileText: optionalText,
  firstIsPinned: fc.boolean(),
});

/** A budget as a part of what the whole prompt takes, so that every kind of shortage comes up. */
export const budgetShare: fc.Arbitrary<(wholeBytes: number) => number> = fc
  .tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: -2, max: 2 }))
  .map(
    ([thousandths, more]) =>
      (wholeBytes: number) =>
        Math.max(0, Math.round((wholeBytes * thousandths) / 1000) + more),
  );
