import type { SessionTotals } from '../models/AgentEvent.js';
import type {
  BriefChanged,
  ConversationFact,
  MessageRun,
  Notice,
  QueuedTurn,
  SentPrompt,
  TurnEnd,
  TurnResult,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { Speaker } from '../models/ConversationMessage.js';
import type { MemberId, MessageId } from '../models/ids.js';
import type { TurnFailureCode } from '../models/TurnOutcome.js';

/** What is known about members beyond one turn: folded from the facts, never changed otherwise. */
export interface MemberMemory {
  readonly briefs: ReadonlyMap<MemberId, KnownBrief>;
  /** Of the members that remember by a session of their own. */
  readonly sessions: ReadonlyMap<MemberId, MemberSession>;
  /** Started and not ended. */
  readonly openTurns: readonly TurnStart[];
  /** Ended without an answer since a person last spoke, and not asked for again. */
  readonly unfinished: readonly QueuedTurn[];
  /** Of everybody who has spoken, also of those who have left the team. */
  readonly speakerNames: readonly string[];
}

export type KnownBrief = Pick<BriefChanged, 'sha256' | 'systemSha256'> &
  Pick<BriefChanged['brief'], 'memory'>;

/** A session of an agent that can be resumed, because a turn in it was completed. */
export interface MemberSession {
  readonly sessionId: string;
  readonly lastSeenMessageId: MessageId;
  /** Up to that message, and not seen all the same: there was no room. */
  readonly missed?: readonly MessageRun[];
  /** Of the system text that the session was told. */
  readonly systemSha256: string | null;
  readonly totals?: SessionTotals;
}

export const NO_MEMORY: MemberMemory = {
  briefs: new Map(),
  sessions: new Map(),
  openTurns: [],
  unfinished: [],
  speakerNames: [],
};

/** Failures that would be the same in a new session. */
const NOT_THE_SESSION: ReadonlySet<TurnFailureCode> = new Set([
  'AGENT_MISSING',
  'SPAWN',
  'AUTH',
  'PROMPT_BUDGET',
]);

/** What is remembered after one more fact. */
export function remember(memory: MemberMemory, fact: ConversationFact): MemberMemory {
  switch (fact.type) {
    case 'brief-changed':
      return { ...memory, briefs: rememberBrief(memory.briefs, fact) };
    case 'message-added':
      return rememberSpeaker(memory, fact.message.speaker);
    case 'turns-queued':
      return { ...memory, unfinished: withoutRetried(memory.unfinished, fact.turns) };
    case 'turn-start':
      return { ...memory, openTurns: [...memory.openTurns, fact] };
    case 'turn-end':
      return rememberEnd(memory, fact);
    case 'notice':
      return forgetInherited(memory, fact);
    case 'conversation-start':
    case 'task-changed':
    case 'turns-dropped':
    case 'turn-activity':
    case 'permission-decided':
    case 'human-awaited':
    case 'conversation-pause':
    case 'conversation-resume':
      return memory;
  }
}

/** A resumed turn that failed before it said anything: the session cannot be gone on with. */
export function hasLostSession(session: SentPrompt['session'], result: TurnResult): boolean {
  return (
    session === 'resume' &&
    result.kind === 'failed' &&
    result.draft === '' &&
    !NOT_THE_SESSION.has(result.failure.code)
  );
}

/** An imported conversation has no sessions of its own yet: those in its log belong to the original. */
function forgetInherited(memory: MemberMemory, { code, memberId }: Notice): MemberMemory {
  if (code !== 'session-not-forked' || memberId === undefined) return memory;
  return { ...memory, sessions: without(memory.sessions, memberId) };
}

function rememberSpeaker(memory: MemberMemory, { roleName, type }: Speaker): MemberMemory {
  const { unfinished, speakerNames } = memory;
  return {
    ...memory,
    unfinished: type === 'human' ? [] : unfinished,
    speakerNames: speakerNames.includes(roleName) ? speakerNames : [...speakerNames, roleName],
  };
}

function rememberBrief(
  briefs: MemberMemory['briefs'],
  { memberId, sha256, systemSha256, brief }: BriefChanged,
): MemberMemory['briefs'] {
  return new Map(briefs).set(memberId, { sha256, systemSha256, memory: brief.memory });
}

function withoutRetried(
  unfinished: readonly QueuedTurn[],
  queued: readonly QueuedTurn[],
): readonly QueuedTurn[] {
  return unfinished.filter(({ turnId }) => !queued.some(({ retryOf }) => retryOf === turnId));
}

function rememberEnd(memory: MemberMemory, end: TurnEnd): MemberMemory {
  const start = memory.openTurns.find(({ turnId }) => turnId === end.turnId);
  if (start === undefined) return memory;
  const isDone = end.result.kind === 'completed';
  return {
    ...memory,
    openTurns: memory.openTurns.filter((turn) => turn !== start),
    unfinished: isDone ? memory.unfinished : [...memory.unfinished, queuedTurnOf(start)],
    sessions: rememberSession(memory, start, end),
  };
}

function queuedTurnOf({ turnId, memberId, triggeredBy, about, blindRound }: TurnStart): QueuedTurn {
  return {
    turnId,
    memberId,
    triggeredBy,
    ...(about !== undefined && { about }),
    ...(blindRound !== undefined && { blindRound }),
  };
}

function rememberSession(
  { briefs, sessions }: MemberMemory,
  start: TurnStart,
  { memberId, result, sessionId, usage }: TurnEnd,
): MemberMemory['sessions'] {
  const brief = briefs.get(memberId);
  if (brief?.memory !== 'session') return without(sessions, memberId);
  if (hasLostSession(start.prompt.session, result)) return without(sessions, memberId);
  const known = sessions.get(memberId);
  // Unknown for this turn, they are still known from the one before: what comes next is counted from there.
  const totals = usage?.sessionTotals ?? (known?.sessionId === sessionId ? known?.totals : undefined);
  if (result.kind === 'completed' && sessionId !== undefined) {
    const { missed } = start.prompt;
    return new Map(sessions).set(memberId, {
      sessionId,
      lastSeenMessageId: lastShown(start),
      ...(missed && { missed }),
      systemSha256: brief.systemSha256,
      ...(totals && { totals }),
    });
  }
  if (known === undefined || known.sessionId !== sessionId || totals === undefined) return sessions;
  return new Map(sessions).set(memberId, { ...known, totals });
}

/** In a blind round nothing is shown that was said after the question. */
function lastShown({ prompt, about, blindRound }: TurnStart): MessageId {
  return (blindRound === undefined ? undefined : about) ?? prompt.latestMessageId;
}

function without(sessions: MemberMemory['sessions'], memberId: MemberId): MemberMemory['sessions'] {
  if (!sessions.has(memberId)) return sessions;
  const rest = new Map(sessions);
  rest.delete(memberId);
  return rest;
}
