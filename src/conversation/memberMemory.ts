import type {
  BriefChanged,
  ConversationFact,
  Notice,
  QueuedTurn,
  TurnActivity,
  TurnEnd,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { Speaker } from '../models/ConversationMessage.js';
import type { MemberId } from '../models/ids.js';
import { type MemberSession, type SessionBrief, sessionAfter } from './memberSession.js';

/** What is known about members beyond one turn: folded from the facts, never changed otherwise. */
export interface MemberMemory {
  readonly briefs: ReadonlyMap<MemberId, KnownBrief>;
  /** Of the members that remember by a session of their own. */
  readonly sessions: ReadonlyMap<MemberId, MemberSession>;
  /** Started and not ended. */
  readonly openTurns: readonly OpenTurn[];
  /** Ended without an answer since a person last spoke, and not asked for again. */
  readonly unfinished: readonly QueuedTurn[];
  /** Of everybody who has spoken, also of those who have left the team. */
  readonly speakerNames: readonly string[];
}

export type KnownBrief = Pick<BriefChanged, 'sha256'> & SessionBrief;

/** A turn that runs, and what is known of the agent's own session by now. */
export type OpenTurn = TurnStart & Pick<TurnEnd, 'sessionId' | 'sessionHoldsPrompt'>;

export const NO_MEMORY: MemberMemory = {
  briefs: new Map(),
  sessions: new Map(),
  openTurns: [],
  unfinished: [],
  speakerNames: [],
};

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
    case 'turn-activity':
      return rememberActivity(memory, fact);
    case 'turn-end':
      return rememberEnd(memory, fact);
    case 'notice':
      return forgetInherited(memory, fact);
    case 'conversation-start':
    case 'task-changed':
    case 'turns-dropped':
    case 'permission-decided':
    case 'human-awaited':
    case 'conversation-pause':
    case 'conversation-resume':
      return memory;
  }
}

/** Whether a turn that did not complete ends the session it ran in, because nobody can tell what that holds of it. */
export function endsSession(memory: MemberMemory, end: TurnEnd): boolean {
  const { memberId } = end;
  if (memory.briefs.get(memberId)?.memory !== 'session' || !memory.sessions.has(memberId)) return false;
  return !remember(memory, end).sessions.has(memberId);
}

/** An imported conversation has no sessions of its own yet: those in its log belong to the original. */
function forgetInherited(memory: MemberMemory, { code, memberId }: Notice): MemberMemory {
  if (code !== 'session-not-forked' || memberId === undefined) return memory;
  return { ...memory, sessions: withSession(memory.sessions, memberId, undefined) };
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

/** What an agent says of its session counts also if nobody is there any more to hear how its turn ends. */
function rememberActivity(memory: MemberMemory, { turnId, event }: TurnActivity): MemberMemory {
  if (event.type !== 'session') return memory;
  const { sessionId, holdsPrompt } = event;
  const openTurns = memory.openTurns.map((turn) =>
    turn.turnId === turnId
      ? { ...turn, sessionId, ...(holdsPrompt !== undefined && { sessionHoldsPrompt: holdsPrompt }) }
      : turn,
  );
  return { ...memory, openTurns };
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
  end: TurnEnd,
): MemberMemory['sessions'] {
  const { memberId } = end;
  const brief = briefs.get(memberId);
  const known = sessions.get(memberId);
  const after = brief && sessionAfter(known, start, end, brief);
  return after === known ? sessions : withSession(sessions, memberId, after);
}

function withSession(
  sessions: MemberMemory['sessions'],
  memberId: MemberId,
  session: MemberSession | undefined,
): MemberMemory['sessions'] {
  const rest = new Map(sessions);
  if (session === undefined) rest.delete(memberId);
  else rest.set(memberId, session);
  return rest;
}
