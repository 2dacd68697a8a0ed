import { describe, expect, test } from 'vitest';
import {
  applyFact,
  type ConversationState,
  INITIAL_STATE,
} from '../../src/conversation/ConversationState.js';
import { NO_COUNTS } from '../../src/conversation/limitCounters.js';
import type { ConversationFact, QueuedTurn, TurnEnd } from '../../src/models/ConversationEvent.js';
import type { ConversationMessage, SpeakerType } from '../../src/models/ConversationMessage.js';
import type { ConversationId, MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import { failureOf } from '../failureOf.js';

const max = 'max' as MemberId;
const kailai = 'kailai' as MemberId;
const bob = 'bob' as MemberId;
const turnId = 'turn-1' as TurnId;
const queued: QueuedTurn = { turnId, memberId: max, triggeredBy: 'msg-1' as MessageId };

const message = (speaker: string, type: SpeakerType, content = 'Hi.'): ConversationFact => ({
  type: 'message-added',
  message: {
    id: 'msg-1' as MessageId,
    content,
    speaker: { roleId: speaker, roleName: speaker, type },
    timestamp: 1,
  } satisfies ConversationMessage,
});
const queue: ConversationFact = { type: 'turns-queued', turns: [queued], place: 'back' };
const start: ConversationFact = {
  type: 'turn-start',
  turnId,
  memberId: max,
  triggeredBy: queued.triggeredBy,
  prompt: { bytes: 1, sha256: '', latestMessageId: queued.triggeredBy, session: 'new' },
};
const end: TurnEnd = {
  type: 'turn-end',
  turnId,
  memberId: max,
  result: { kind: 'completed', messageId: null },
  milliseconds: 5,
};
const awaits = (named: boolean, ...memberIds: MemberId[]): ConversationFact => ({
  type: 'waiting-for-human',
  memberIds,
  named,
});
const limitPause: ConversationFact = {
  type: 'conversation-pause',
  reason: { kind: 'limit', limit: 'agentTurns', count: 1, max: 1 },
};

const stateAfter = (...facts: ConversationFact[]): ConversationState =>
  facts.reduce(applyFact, INITIAL_STATE);

describe('the state after a fact', () => {
  test.each<ConversationFact>([
    {
      type: 'conversation-start',
      conversationId: 'c' as ConversationId,
      team: { name: 'squad', members: [] },
      isRehearsal: false,
    },
    { type: 'task-changed', task: 'Ship it' },
    { type: 'turn-activity', turnId, memberId: max, event: { type: 'error', message: 'hm' } },
    { type: 'notice', code: 'empty-reply', memberId: max },
    message('system', 'system'),
  ])('$type changes nothing', (fact) => {
    expect(stateAfter(fact)).toEqual(INITIAL_STATE);
  });

  test('a person who speaks is the last human, and nobody is awaited any more', () => {
    expect(stateAfter(awaits(true, kailai), queue, start, message('bob', 'human'))).toEqual({
      ...stateAfter(queue, start),
      lastHuman: bob,
      isUnaddressed: true,
      counters: NO_COUNTS,
    });
  });

  test('the answer of an agent is counted, however its ends are spaced', () => {
    const { counters } = stateAfter(message('max', 'ai', 'Yes.\n'), message('max', 'ai', ' Yes.'));
    expect(counters.answers).toMatchObject({ different: 1, most: 2 });
  });

  test('queued turns wait and are numbered on', () => {
    expect(stateAfter(queue)).toEqual({ ...INITIAL_STATE, queue: [queued], turnCount: 1 });
  });

  test('dropped turns do not wait any more, but their numbers are used up', () => {
    expect(stateAfter(queue, { type: 'turns-dropped', turnIds: [turnId] })).toEqual({
      ...INITIAL_STATE,
      turnCount: 1,
    });
  });

  test('a turn that starts runs and does not wait; its agent spoke last and has used a turn', () => {
    expect(stateAfter(queue, start)).toEqual({
      ...INITIAL_STATE,
      turnCount: 1,
      running: [start],
      turns: [{ turnId, memberId: max, triggeredBy: start.triggeredBy }],
      lastAgent: max,
      counters: { ...NO_COUNTS, turns: { count: 1, ofPair: 0, latest: [max] } },
    });
  });

  test('a turn that could not be started ends where it waits, and is left to be asked for again', () => {
    const failure = failureOf('PROMPT_BUDGET');
    const state = stateAfter(queue, { ...end, result: { kind: 'failed', failure, draft: '' } });
    const unfinished = [{ turn: queued, kind: 'failed', code: 'PROMPT_BUDGET' }] as const;
    expect(state).toEqual({ ...INITIAL_STATE, turnCount: 1, unfinished });
  });

  test('a turn that ends does not run, and what it took is in the usage', () => {
    const usage = {
      inputTokens: 4,
      cachedInputTokens: 0,
      outputTokens: 6,
      usd: 0.5,
      price: 'reported',
    } as const;
    const state = stateAfter(queue, start, { ...end, usage });
    expect(state).toMatchObject({
      running: [],
      usage: { members: [{ memberId: max, turns: 1, outputTokens: 6, usd: 0.5 }] },
      counters: { tokens: 10, usd: 0.5 },
    });
    expect(stateAfter(queue, start, end).usage).toEqual(INITIAL_STATE.usage);
  });

  test('a pause keeps its reason until somebody goes on', () => {
    expect(stateAfter(limitPause).pause).toMatchObject({ limit: 'agentTurns' });
    expect(stateAfter(limitPause, { type: 'conversation-resume', pastLimit: false }).pause).toBeNull();
  });

  test('only who goes past a limit gets its counter anew', () => {
    const paused = [queue, start, end, limitPause] as const;
    const resume = (pastLimit: boolean): ConversationFact => ({ type: 'conversation-resume', pastLimit });
    expect(stateAfter(...paused, resume(false)).counters.turns.count).toBe(1);
    expect(stateAfter(...paused, resume(true)).counters.turns.count).toBe(0);
    const asked: ConversationFact = { type: 'conversation-pause', reason: { kind: 'asked' } };
    expect(stateAfter(queue, start, end, asked, resume(true)).counters.turns.count).toBe(1);
  });

  test.each([
    ['the first to be awaited', [awaits(false, kailai)], { memberIds: [kailai], named: false }],
    [
      'a named person before one nobody named',
      [awaits(false, kailai), awaits(true, bob)],
      { memberIds: [bob], named: true },
    ],
    [
      'a named person also after the fallback',
      [awaits(true, bob), awaits(false, kailai)],
      { memberIds: [bob], named: true },
    ],
    [
      'all who were named',
      [awaits(true, bob), awaits(true, kailai, bob)],
      { memberIds: [bob, kailai], named: true },
    ],
  ])('awaits %s', (_title, facts, awaited) => {
    expect(stateAfter(...facts).awaited).toEqual(awaited);
  });
});

describe('a program that asks through MCP', () => {
  const asked = message('mcp:codex', 'system');
  const asks = {
    ...asked,
    message: { ...(asked as { message: ConversationMessage }).message, via: { kind: 'mcp', name: 'codex' } },
  } as ConversationFact;

  test('restarts the counts of loops in a conversation that no person speaks in', () => {
    const state = [asks, queue, start, asks].reduce(applyFact, INITIAL_STATE);
    expect(state.counters.turns.count).toBe(0);
    expect(state.lastHuman).toBeNull();
  });

  test('restarts nothing in one that a person began, but what it asks for is new', () => {
    const waiting: ConversationFact = { type: 'waiting-for-human', memberIds: [kailai], named: true };
    const state = [message('kailai', 'human'), queue, start, end, waiting, asks].reduce(
      applyFact,
      INITIAL_STATE,
    );
    expect(state.counters.turns.count).toBe(1);
    expect(state).toMatchObject({ lastHuman: kailai, awaited: null, isUnaddressed: true });
  });

  test('is a person nowhere else: any other message of the system changes nothing', () => {
    const before = [message('kailai', 'human'), queue, start].reduce(applyFact, INITIAL_STATE);
    expect(applyFact(before, asked)).toEqual(before);
  });
});
