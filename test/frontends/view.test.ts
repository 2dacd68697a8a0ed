import { describe, expect, test } from 'vitest';
import { outcomeOf, totalsOf } from '../../src/frontends/view.js';
import type { ConversationEvent } from '../../src/models/ConversationEvent.js';
import type { MessageId } from '../../src/models/ids.js';
import {
  completed,
  failedWith,
  kim,
  max,
  queued,
  record,
  said,
  sarah,
  started,
  turn,
  turnEnded,
  turnStarted,
  viewOf,
} from './events.js';

describe('the view of a conversation', () => {
  test('knows who still waits for a turn', () => {
    const events = [started(), said(kim, 'Go.'), queued(max, sarah), turnStarted(turn(1), max)];
    expect(viewOf(events).queue.map(({ memberId }) => memberId)).toEqual([sarah]);
  });

  test('forgets whom the agents waited for when a person speaks', () => {
    const waiting = [started(), record({ type: 'human-awaited', memberIds: [kim], named: true })];
    expect(viewOf(waiting).awaited).toEqual([kim]);
    expect(viewOf([...waiting, said(kim, 'Here.')]).awaited).toEqual([]);
  });
});

const worked = turnEnded(turn(1), max, completed);
const asked = record({ type: 'human-awaited', memberIds: [kim], named: true });
const atLimit = record({
  type: 'conversation-pause',
  reason: { kind: 'limit', limit: 'agentTurns', count: 2, max: 2 },
});
const retried = record({
  type: 'turns-queued',
  place: 'front',
  turns: [{ turnId: turn(2), memberId: max, triggeredBy: 'msg-1' as MessageId, retryOf: turn(1) }],
});
const outcomes: ReadonlyArray<readonly [string, string, readonly ConversationEvent[]]> = [
  ['done', 'every turn was completed', [worked]],
  [
    'done',
    'it is simply a person’s turn',
    [worked, record({ type: 'human-awaited', memberIds: [kim], named: false })],
  ],
  ['waiting', 'an agent asked for a person', [worked, asked]],
  ['failed', 'one turn failed', [worked, turnEnded(turn(2), max, failedWith('AGENT_ERROR')), asked]],
  [
    'failed',
    'a turn took too long',
    [turnEnded(turn(1), max, { kind: 'timed-out', limit: 'idle', milliseconds: 1, draft: '' })],
  ],
  [
    'failed',
    'one agent is missing and another worked',
    [worked, turnEnded(turn(2), sarah, failedWith('AGENT_MISSING'))],
  ],
  [
    'agent-missing',
    'the agent is missing and nothing worked',
    [turnEnded(turn(1), max, failedWith('AGENT_MISSING'))],
  ],
  ['not-logged-in', 'an agent is not logged in', [worked, turnEnded(turn(2), max, failedWith('AUTH'))]],
  [
    'limit',
    'a limit was reached, whatever else happened',
    [turnEnded(turn(1), max, failedWith('AUTH')), atLimit],
  ],
  [
    'done',
    'a turn that failed was asked for again and answered',
    [turnEnded(turn(1), max, failedWith('AGENT_ERROR')), retried, turnEnded(turn(2), max, completed)],
  ],
  [
    'not-logged-in',
    'a turn that failed was asked for again and failed in another way',
    [
      turnEnded(turn(1), max, failedWith('AGENT_ERROR')),
      retried,
      turnEnded(turn(2), max, failedWith('AUTH')),
    ],
  ],
  [
    'cancelled',
    'somebody stopped it',
    [record({ type: 'conversation-pause', reason: { kind: 'cancelled' } })],
  ],
];

test.each(outcomes)('the outcome is %s when %s', (outcome, _reason, events) => {
  expect(outcomeOf(viewOf([started(), ...events]))).toBe(outcome);
});

test('totals name the members whose price nobody knows, once', () => {
  const usage = { inputTokens: 10, cachedInputTokens: 2, outputTokens: 5 };
  const end = (memberId: typeof max, price: 'reported' | 'unknown', usd?: number) =>
    record({
      type: 'turn-end',
      turnId: turn(1),
      memberId,
      result: completed,
      milliseconds: 500,
      usage: { ...usage, price, ...(usd !== undefined && { usd }) },
    });
  expect(
    totalsOf(viewOf([end(max, 'reported', 0.25), end(sarah, 'unknown'), end(sarah, 'unknown')])),
  ).toEqual({
    turns: 3,
    milliseconds: 1500,
    inputTokens: 30,
    outputTokens: 15,
    usd: 0.25,
    isEstimated: false,
    unpriced: [sarah],
  });
});
