import { describe, expect, test } from 'vitest';
import type { ConversationFact, RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../src/models/ids.js';
import { type ConversationTally, countEvent, EMPTY_TALLY, summarize } from '../../src/store/summary.js';
import { ID } from './facts.js';

function end(usd: number): RecordedEvent {
  const fact: ConversationFact = {
    type: 'turn-end',
    turnId: 'turn-1' as TurnId,
    memberId: 'max' as MemberId,
    result: { kind: 'completed', messageId: null },
    milliseconds: 1,
    usage: { inputTokens: 10, cachedInputTokens: 2, outputTokens: 5, usd, price: 'reported' },
  };
  return { ...fact, v: 1, seq: 1, at: 1 };
}

describe('the summary of a conversation', () => {
  test('adds up tokens and money of its turns', () => {
    const tally = [end(0.5), end(0.25)].reduce(countEvent, EMPTY_TALLY);
    expect(summarize({ id: ID, tally }).usage).toMatchObject({ turns: 2, inputTokens: 20, usd: 0.75 });
  });

  test('does not count in the middle of a conversation that was begun without counting', () => {
    const { usage, ...before } = EMPTY_TALLY;
    const begun: ConversationTally = { ...before, turns: 7 };
    expect(usage).toBeDefined();
    expect(summarize({ id: ID, tally: countEvent(begun, end(0.5)) }).usage).toBeUndefined();
  });

  test('names the process that has it open', () => {
    const holder = { pid: 4711, processStart: null, host: 'here' };
    expect(summarize({ id: ID, tally: EMPTY_TALLY }, holder)).toMatchObject({
      state: 'open',
      holder: { pid: 4711, host: 'here' },
    });
    expect(summarize({ id: ID, tally: EMPTY_TALLY })).not.toHaveProperty('holder');
  });
});
