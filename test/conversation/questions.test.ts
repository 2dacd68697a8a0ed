import { describe, expect, test } from 'vitest';
import { type Agenda, applyToAgenda, EMPTY_AGENDA } from '../../src/conversation/Agenda.js';
import {
  askedFor,
  type ConversationOutcome,
  canRetry,
  hasWork,
  isContinuing,
  type LeftAs,
  leftAs,
  outcomeOf,
  type Phase,
  phaseOf,
} from '../../src/conversation/questions.js';
import type { ConversationFact, PauseReason, TurnResult } from '../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import type { TurnFailureCode } from '../../src/models/TurnOutcome.js';
import { failureOf } from '../failureOf.js';

const turn = (number: number, retryOf?: number) => ({
  turnId: `turn-${number}` as TurnId,
  memberId: 'max' as MemberId,
  triggeredBy: 'msg-1' as MessageId,
  ...(retryOf !== undefined && { retryOf: `turn-${retryOf}` as TurnId }),
});
const said = (type: 'human' | 'ai'): ConversationFact => ({
  type: 'message-added',
  message: {
    id: 'msg-1' as MessageId,
    content: 'Go.',
    timestamp: 0,
    speaker: { roleId: 'kim', roleName: 'kim', type },
  },
});
const queued = (...turns: ReturnType<typeof turn>[]): ConversationFact => ({
  type: 'turns-queued',
  turns,
  place: 'back',
});
const started = (number: number): ConversationFact => ({
  type: 'turn-start',
  ...turn(number),
  prompt: { bytes: 1, sha256: '', latestMessageId: 'msg-1' as MessageId, session: 'new' },
});
const ended = (number: number, result: TurnResult): ConversationFact => {
  const { turnId, memberId } = turn(number);
  return { type: 'turn-end', turnId, memberId, result, milliseconds: 1 };
};
const ran = (number: number, result: TurnResult) => [
  queued(turn(number)),
  started(number),
  ended(number, result),
];
const completed: TurnResult = { kind: 'completed', messageId: 'msg-2' as MessageId };
const failed = (code: TurnFailureCode): TurnResult => ({
  kind: 'failed',
  draft: '',
  failure: failureOf(code),
});
const tookTooLong: TurnResult = { kind: 'timed-out', limit: 'idle', milliseconds: 1, draft: '' };
const awaited = (named: boolean, name = 'kim'): ConversationFact => ({
  type: 'waiting-for-human',
  memberIds: [name as MemberId],
  named,
});
const paused = (reason: PauseReason): ConversationFact => ({ type: 'conversation-pause', reason });
const limit: PauseReason = { kind: 'limit', limit: 'agentTurns', count: 1, max: 1 };
const resumed: ConversationFact = { type: 'conversation-resume', pastLimit: false };

/** What is answered, and to which questions the answer is yes. */
interface Answers {
  readonly phase: Phase['kind'];
  readonly outcome: ConversationOutcome;
  readonly left: LeftAs;
  readonly yes?: readonly ('isContinuing' | 'canRetry' | 'hasWork')[];
  readonly people?: readonly string[];
}

const DONE = { phase: 'idle', outcome: 'done', left: 'done' } as const;
const FAILED = { phase: 'idle', outcome: 'failed', left: 'failed', yes: ['canRetry', 'hasWork'] } as const;
const WAITING = { phase: 'waiting', outcome: 'waiting', left: 'waiting', people: ['kim'] } as const;

const TABLE: readonly (readonly [string, readonly ConversationFact[], Answers])[] = [
  ['nothing has happened', [], DONE],
  ['no agent was to answer', [said('human')], { ...DONE, outcome: 'no-recipient' }],
  [
    'a turn waits',
    [said('human'), queued(turn(1))],
    { ...DONE, left: 'interrupted', yes: ['isContinuing', 'hasWork'] },
  ],
  [
    'a turn runs',
    [queued(turn(1)), started(1)],
    { phase: 'running', outcome: 'done', left: 'interrupted', yes: ['canRetry', 'hasWork'] },
  ],
  ['every turn was completed', [said('human'), ...ran(1, completed), said('ai')], DONE],
  ['it is simply a person’s turn', [...ran(1, completed), awaited(false)], { ...DONE, phase: 'waiting' }],
  ['an agent asked for a person', [...ran(1, completed), awaited(true)], WAITING],
  [
    'an agent asked for a person and the next one named nobody',
    [...ran(1, completed), awaited(true), ...ran(2, completed), awaited(false, 'bob')],
    WAITING,
  ],
  [
    'an agent asked for a person, and others are to speak before',
    [awaited(true), queued(turn(1))],
    { ...WAITING, phase: 'idle', left: 'interrupted', yes: ['isContinuing', 'hasWork'] },
  ],
  ['the person has answered', [awaited(true), said('human'), ...ran(1, completed)], DONE],
  ['one turn failed', [...ran(1, completed), ...ran(2, failed('AGENT_ERROR'))], FAILED],
  [
    'one turn failed and an agent asked for a person',
    [...ran(1, failed('AGENT_ERROR')), awaited(true)],
    { ...FAILED, phase: 'waiting', people: ['kim'] },
  ],
  ['a turn took too long', ran(1, tookTooLong), FAILED],
  ['a turn never started', [queued(turn(1)), ended(1, failed('PROMPT_BUDGET'))], FAILED],
  [
    'one agent is missing and another worked',
    [...ran(1, completed), ...ran(2, failed('AGENT_MISSING'))],
    FAILED,
  ],
  [
    'the agent is missing and nothing worked',
    ran(1, failed('AGENT_MISSING')),
    { ...FAILED, outcome: 'agent-missing' },
  ],
  [
    'an agent is not logged in',
    [...ran(1, completed), ...ran(2, failed('AUTH'))],
    { ...FAILED, outcome: 'not-logged-in' },
  ],
  [
    'Huddle ended during a turn',
    ran(1, { kind: 'interrupted', draft: '' }),
    { ...FAILED, left: 'interrupted' },
  ],
  [
    'a turn failed and a person spoke',
    [...ran(1, failed('AUTH')), said('human'), ...ran(2, completed)],
    DONE,
  ],
  [
    'a turn failed, was asked for again and answered',
    [...ran(1, failed('AUTH')), queued(turn(2, 1)), started(2), ended(2, completed)],
    DONE,
  ],
  [
    'a turn failed, was asked for again and failed in another way',
    [...ran(1, failed('AGENT_ERROR')), queued(turn(2, 1)), started(2), ended(2, failed('AUTH'))],
    { ...FAILED, outcome: 'not-logged-in' },
  ],
  [
    'a limit was reached, whatever else happened',
    [...ran(1, failed('AUTH')), queued(turn(2)), paused(limit)],
    { phase: 'paused', outcome: 'limit', left: 'paused', yes: ['canRetry', 'hasWork'] },
  ],
  [
    'a limit was reached while a turn runs',
    [queued(turn(1)), started(1), awaited(true), paused(limit)],
    {
      phase: 'running',
      outcome: 'limit',
      left: 'interrupted',
      yes: ['canRetry', 'hasWork'],
      people: ['kim'],
    },
  ],
  [
    'somebody stopped it',
    [...ran(1, { kind: 'cancelled', draft: '' }), paused({ kind: 'cancelled' })],
    { phase: 'paused', outcome: 'cancelled', left: 'stopped', yes: ['canRetry', 'hasWork'] },
  ],
  [
    'it was opened again while a turn waited',
    [queued(turn(1)), paused({ kind: 'reopened' })],
    { phase: 'paused', outcome: 'cancelled', left: 'paused', yes: ['hasWork'] },
  ],
  [
    'somebody went on after a pause',
    [queued(turn(1)), paused(limit), resumed],
    { ...DONE, left: 'interrupted', yes: ['isContinuing', 'hasWork'] },
  ],
  [
    'the turns that waited were dropped',
    [queued(turn(1)), { type: 'turns-dropped', turnIds: [turn(1).turnId] }],
    DONE,
  ],
];

describe('what is said of a conversation when', () => {
  test.each(TABLE)('%s', (_when, facts, answers) => {
    const agenda = facts.reduce(applyToAgenda<Agenda>, EMPTY_AGENDA);
    const questions = { isContinuing, canRetry, hasWork };
    expect({
      phase: phaseOf(agenda).kind,
      outcome: outcomeOf(agenda),
      left: leftAs(agenda),
      yes: Object.entries(questions).flatMap(([name, ask]) => (ask(agenda) ? name : [])),
      people: askedFor(agenda),
    }).toEqual({ yes: [], people: [], ...answers });
  });
});
