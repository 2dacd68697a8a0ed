import { afterEach, describe, expect, test } from 'vitest';
import { chinese } from '../../../src/catalogue/chinese.js';
import { english } from '../../../src/catalogue/english.js';
import { type Catalogue, speak } from '../../../src/catalogue/words.js';
import { formatAnswerDiffs } from '../../../src/cli/cassettes/printReplay.js';
import { formatReplay } from '../../../src/cli/cassettes/replayTable.js';
import type { MessageId, TurnId } from '../../../src/models/ids.js';
import type { Attempt, MeasuredTurn } from '../../../src/replay/Attempt.js';
import type { CheckResult, ReplayResult, ReplayRow } from '../../../src/replay/askAgain.js';
import { widthOf } from '../../../src/utils/widthOf.js';

afterEach(() => speak(english));

const plain = (_role: string, text: string): string => text;
const LANGUAGES: readonly (readonly [string, Catalogue])[] = [
  ['English', english],
  ['Chinese', chinese],
];

function turn(parts: Partial<MeasuredTurn> = {}): MeasuredTurn {
  return {
    turnId: 'turn-1' as TurnId,
    member: '架构师小明',
    result: 'completed',
    answer: 'Use Redis.\nIt is fast.',
    handoff: ['sarah', 'carol-the-reviewer'],
    words: 12_345,
    promptBytes: 786_432,
    inputTokens: 1_234_567,
    outputTokens: 45_678,
    usd: 123.45,
    price: 'reported',
    milliseconds: 3_723_000,
    ...parts,
  };
}

function attempt(parts: Partial<Attempt> = {}): Attempt {
  return {
    turns: [turn(), turn({ member: 'sarah' })],
    result: 'done',
    pause: null,
    waitingFor: [],
    notRun: [],
    ...parts,
  };
}

function resultOf(after: readonly Attempt[], checks: readonly CheckResult[] = []): ReplayResult {
  const row: ReplayRow = {
    id: 'msg-12' as MessageId,
    question: `会话的密钥在哪里更换？${'Which one? '.repeat(40)}`,
    before: attempt(),
    after: [...after],
    checks: [...checks],
  };
  return { rows: [row, { ...row, id: 'msg-15' as MessageId }], conversationIds: [], stop: null };
}

const LONG_CHECK = { ok: false, line: 'The answer does not name the key. '.repeat(9) };

describe.each(LANGUAGES)('the table in %s', (_language, catalogue) => {
  test.each([
    ['one run', [attempt({ result: 'not-logged-in' })]],
    ['three runs', [attempt(), attempt({ turns: [turn({ words: 3 })], result: 'waiting' }), attempt()]],
  ])('of %s is a table at 80 columns, and blocks at 40', (_title, after) => {
    speak(catalogue);
    const result = resultOf(after, [LONG_CHECK]);
    for (const byTurn of [true, false])
      for (const columns of [80, 40]) {
        const lines = formatReplay(result, { paint: plain, columns, byTurn }).split('\n');
        expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
        expect(lines[0]?.startsWith(' ')).toBe(columns === 80);
      }
  });
});

test('a replay of several runs shows the lowest and the highest, and what differs', () => {
  const other = attempt({ turns: [turn({ words: 1, usd: 0.5, milliseconds: 900 })], result: 'failed' });
  const { rows, ...rest } = resultOf([attempt(), other]);
  const text = formatReplay(
    { rows: rows.slice(0, 1), ...rest },
    { paint: plain, columns: undefined, byTurn: false },
  );
  expect(text.split('\n').slice(3)).toEqual([
    'before  架构师小明, sarah  done      24.7k    1.6M    2.6M  $246.90  2 h 04 min',
    'min     differs            1/2 done      1  786.4k    1.3M    $0.50       0.9 s',
    'max                                  24.7k    1.6M    2.6M  $246.90  2 h 04 min',
    '',
    'total',
    'before  2 turns                      24.7k    1.6M    2.6M  $246.90  2 h 04 min',
    'min     1 turn                           1  786.4k    1.3M    $0.50       0.9 s',
    'max     2 turns                      24.7k    1.6M    2.6M  $246.90  2 h 04 min',
  ]);
});

test('answers are compared line by line, and control characters in them do nothing', () => {
  const now = attempt({ turns: [turn({ answer: 'Use Redis.\nIt is \u001b[2Jslow.' })] });
  const { rows, ...rest } = resultOf([now]);
  const lines = [...formatAnswerDiffs({ rows: rows.slice(0, 1), ...rest }, plain)];
  expect(lines.slice(0, 5)).toEqual(['', 'msg-12', ' 架构师小明:', ' Use Redis.', '-It is fast.']);
  expect(lines.join('\n')).not.toContain('\u001b');
});
