import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countAnswer,
  countHuman,
  countTurnStart,
  countUsage,
  type LimitCounters,
  NO_COUNTS,
  restartCounter,
} from '../../src/conversation/limitCounters.js';
import type { LimitName } from '../../src/models/ConversationEvent.js';
import type { MemberId } from '../../src/models/ids.js';
import { findReachedLimit, takeAllowed } from '../../src/routing/limits.js';
import { LIMITS, WIDE } from '../coordinator/teams.js';

const afterTurns = (speakers: string): LimitCounters =>
  [...speakers].reduce((counters, speaker) => countTurnStart(counters, speaker as MemberId), NO_COUNTS);

const afterAnswers = (...answers: string[]): LimitCounters => answers.reduce(countAnswer, NO_COUNTS);

const afterCosts = (...costs: number[]): LimitCounters =>
  costs.reduce(
    (counters, usd) => countUsage(counters, { inputTokens: 10, cachedInputTokens: 4, outputTokens: 5, usd }),
    NO_COUNTS,
  );

/** One turn short of each limit, and at it. */
const LIMIT_CASES: ReadonlyArray<[LimitName, number, (count: number) => LimitCounters]> = [
  ['agentTurns', 20, (count) => afterTurns('abcdefghijklmnopqrstuvwxyz'.slice(0, count))],
  ['pairTurns', 6, (count) => afterTurns('abababab'.slice(0, count))],
  ['sameAnswer', 3, (count) => afterAnswers('x', ...Array.from({ length: count }, () => 'Done.'))],
  ['tokens', 45, (count) => afterCosts(...Array.from({ length: count / 15 }, () => 0))],
  ['usd', 1, (count) => afterCosts(count)],
];

describe('a limit', () => {
  test.each(LIMIT_CASES)(
    'on %s forbids a turn when %d is reached and not before',
    (limit, max, countersAt) => {
      const limits = { ...WIDE, [limit]: max };
      const step = limit === 'tokens' ? 15 : limit === 'usd' ? 0.001 : 1;
      expect(findReachedLimit(countersAt(max - step), limits)).toBeNull();
      expect(findReachedLimit(countersAt(max), limits)).toEqual({ kind: 'limit', limit, count: max, max });
    },
  );

  test.each(LIMIT_CASES)(
    'on %s gives as much room again when somebody chooses to go on',
    (limit, max, countersAt) => {
      const limits = { ...WIDE, [limit]: max };
      expect(findReachedLimit(restartCounter(countersAt(max), limit), limits)).toBeNull();
    },
  );

  test('that is not set forbids nothing', () => {
    expect(findReachedLimit(afterCosts(1e6, 1e6), LIMITS)).toBeNull();
  });
});

describe('the turns of a pair', () => {
  test.each([
    ['', 0],
    ['a', 0],
    ['ab', 2],
    ['aba', 3],
    ['abab', 4],
    ['ababab', 6],
    ['aa', 0],
    ['abb', 0],
    ['aab', 2],
    ['abcb', 3],
    ['cabab', 4],
    ['ababc', 2],
    ['abac', 2],
    ['abcabc', 2],
  ])('%j counts %d', (speakers, count) => {
    const limits = { ...WIDE, pairTurns: 1 };
    expect(findReachedLimit(afterTurns(speakers), limits)?.count ?? 0).toBe(count);
  });
});

describe('a message from a person', () => {
  test('starts the counting of loops anew', () => {
    const looped = countAnswer(countAnswer(afterTurns('ababab'), 'same'), 'same');
    expect(countHuman(looped)).toEqual({ ...NO_COUNTS });
  });

  test('does not bring money or tokens back', () => {
    const spent = countHuman(afterCosts(3, 2));
    expect(spent).toMatchObject({ usd: 5, tokens: 30 });
    expect(findReachedLimit(spent, { ...LIMITS, usd: 5 })).toMatchObject({ limit: 'usd' });
  });
});

describe('counting', () => {
  test('ten times 0.1 is 1', () => {
    expect(afterCosts(...Array.from({ length: 10 }, () => 0.1)).usd).toBe(1);
  });

  test('a turn of unknown price adds tokens and no money', () => {
    const usage = { inputTokens: 7, cachedInputTokens: 0, outputTokens: 3 };
    expect(countUsage(NO_COUNTS, usage)).toMatchObject({ tokens: 10, usd: 0 });
  });

  test.each([
    ['abc', { agentTurns: 20 }, 'xyz', 'xyz'],
    ['abc', { agentTurns: 5 }, 'xyz', 'xy'],
    ['abc', { agentTurns: 3 }, 'xyz', ''],
    ['aba', { pairTurns: 4 }, 'bac', 'b'],
    ['aba', { pairTurns: 4 }, 'cba', 'cba'],
  ])('after %s with %j, of %s at once may start %j', (before, limits, turns, allowed) => {
    const wanted = [...turns].map((memberId) => ({ memberId: memberId as MemberId }));
    const taken = takeAllowed(wanted, afterTurns(before), { ...WIDE, ...limits });
    expect(taken.map(({ memberId }) => memberId).join('')).toBe(allowed);
  });

  test('very many different answers are counted like few', () => {
    let counters = NO_COUNTS;
    for (let index = 0; index < 100_000; index++) counters = countAnswer(counters, `answer ${index}`);
    expect(counters.answers).toMatchObject({ different: 100_000, most: 1 });
    expect(findReachedLimit(counters, LIMITS)).toBeNull();
    expect(countAnswer(counters, 'answer 7').answers).toMatchObject({ different: 100_000, most: 2 });
  });

  test('one more answer changes no earlier count', () => {
    const before = afterAnswers(...'abcdefghijklmnopqrstuvwxyz');
    const copy = structuredClone(before);
    afterAnswers('a', 'b');
    countAnswer(before, 'a');
    expect(before).toEqual(copy);
  });

  test('equals a count by the words of the answers', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('', 'a', 'b', '你好'))), (answers) => {
        const times = new Map<string, number>();
        for (const answer of answers) times.set(answer, (times.get(answer) ?? 0) + 1);
        expect(afterAnswers(...answers).answers).toMatchObject({
          different: times.size,
          most: Math.max(0, ...times.values()),
        });
      }),
    );
  });
});
