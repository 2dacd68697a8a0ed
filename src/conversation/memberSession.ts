import type { SessionTotals } from '../models/AgentEvent.js';
import type {
  MessageRun,
  ProfileChanged,
  SentPrompt,
  TurnEnd,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { ConversationId, MessageId } from '../models/ids.js';
import type { OpenTurn } from './Agenda.js';

/** A session of an agent that can be continued, because a turn in it was completed. */
export interface MemberSession {
  readonly sessionId: string;
  /** Place in it where the last completed turn ended, for agents that can fork it there. */
  readonly mark?: string;
  /** A turn after that did not complete. With a mark the next one forks from there; else the session holds its prompt. */
  readonly isCutOff?: boolean;
  readonly lastSeenMessageId: MessageId;
  /** Up to that message, and not seen all the same: there was no room. */
  readonly missed?: readonly MessageRun[];
  /** Hash of the system prompt that the session was sent. */
  readonly systemSha256: string | null;
  /** That stood in a prompt, although prompts for this agent are made without it. */
  readonly hasSystemInPrompt?: true;
  /** It was sent the team task as it is now. */
  readonly knowsTask?: true;
  readonly totals?: SessionTotals;
  /** It belongs to the member's copy of the folder, not to the folder itself. */
  readonly copy?: true;
  /** It belongs to the conversation that this one is a fork of, which continues in it: a turn here takes a copy. */
  readonly inherited?: Origin;
}

/** The conversation that a fork was made of, and the last fact of it that was copied. */
export interface Origin {
  readonly from: ConversationId;
  readonly upTo: number;
}

/** Messages that a member has seen in its own session. */
export interface SeenInSession {
  readonly lastSeen?: MessageId | undefined;
  readonly missed?: readonly MessageRun[] | undefined;
  /** The last turn in it was cut off, and the session has what that was sent. */
  readonly wasCutOff?: boolean | undefined;
  /** The session has the team task. */
  readonly knowsTask?: boolean | undefined;
}

/** A turn in a session, and what was noted of it while it ran. */
export type SessionTurn = TurnStart & Pick<OpenTurn, 'hasSystemInPrompt' | 'hasOldTask'>;

/** Fields of a member's profile that matter to its session. */
export type SessionProfile = Pick<ProfileChanged, 'systemSha256'> & Pick<ProfileChanged['profile'], 'memory'>;

/**
 * The copy of a session that the next turn takes: at a mark, or at its end. Undefined: it continues the session itself. It
 * does not if that belongs to another conversation, or if a turn after the mark was cut off.
 */
export function forkOf({ isCutOff = false, inherited, mark }: MemberSession): SessionFork | undefined {
  if (mark !== undefined && (isCutOff || inherited !== undefined)) return { at: mark };
  return inherited && {};
}

interface SessionFork {
  readonly at?: string;
}

/** Messages a member has seen in its own session, if the next turn continues it. */
export function seenBefore(session: MemberSession | undefined): SeenInSession {
  if (session === undefined) return {};
  const { lastSeenMessageId, missed, isCutOff = false, mark, knowsTask } = session;
  return { lastSeen: lastSeenMessageId, missed, wasCutOff: isCutOff && mark === undefined, knowsTask };
}

/**
 * The agent does not know the session, or ended without a word when it was asked for it; or for a copy of it, which some
 * versions cannot make. Nothing else loses one.
 */
export function hasLostSession(
  session: SentPrompt['session'],
  { result, sessionId }: Pick<TurnEnd, 'result' | 'sessionId'>,
): boolean {
  if (session === 'new' || result.kind !== 'failed' || result.draft !== '') return false;
  const { code } = result.failure;
  if (code === 'SESSION_UNKNOWN') return true;
  const hasNotBegun = code === 'NO_FINAL_EVENT' || (session === 'fork' && code === 'AGENT_ERROR');
  return hasNotBegun && sessionId === undefined;
}

/** The session to continue in the folder, or in the member's copy of it: sessions of some agents belong to a folder. */
export function sessionIn(
  session: MemberSession | undefined,
  { copy }: Pick<TurnStart, 'copy'>,
): MemberSession | undefined {
  return session?.copy === copy ? session : undefined;
}

/** The session of a member after one more turn of it. Undefined: there is none to continue. */
export function sessionAfter(
  latest: MemberSession | undefined,
  start: SessionTurn,
  end: TurnEnd,
  profile: SessionProfile,
): MemberSession | undefined {
  const { result, sessionId, sessionMark, usage } = end;
  const known = sessionIn(latest, start);
  if (profile.memory !== 'session' || hasLostSession(start.prompt.session, end)) return undefined;
  // Unknown for this turn, they are still known from the one before: what comes next is counted from there.
  const totals = usage?.sessionTotals ?? (known?.sessionId === sessionId ? known?.totals : undefined);
  if (result.kind === 'completed' && sessionId !== undefined)
    return {
      sessionId,
      mark: sessionMark,
      ...seenIn(known, start, profile),
      totals,
      copy: start.copy,
    };
  // A turn in the other folder has not touched it.
  if (known === undefined) return latest;
  const counted = known.sessionId === sessionId && totals !== undefined ? { ...known, totals } : known;
  return cutOff(counted, start, end, profile);
}

/** A session after a turn in it, or in a copy of it, that did not complete. Undefined: it is unknown what it holds. */
function cutOff(
  session: MemberSession,
  start: SessionTurn,
  { result, sessionId, sessionHoldsPrompt }: TurnEnd,
  profile: SessionProfile,
): MemberSession | undefined {
  // An agent that said nothing had not begun; unless Huddle was no longer there to hear it.
  const hasNotBegun = sessionId === undefined && result.kind !== 'interrupted';
  if (hasNotBegun || sessionHoldsPrompt === false || start.prompt.session === 'fork') return session;
  if (session.mark !== undefined) return { ...session, isCutOff: true };
  if (sessionHoldsPrompt === undefined) return undefined;
  const { missed: _, hasSystemInPrompt: _system, knowsTask: _task, ...rest } = session;
  return { ...rest, ...seenIn(session, start, profile), isCutOff: true };
}

/** The content of a session after a turn was sent to it, or to one that it is a copy of. */
function seenIn(
  before: MemberSession | undefined,
  start: SessionTurn,
  { systemSha256 }: SessionProfile,
): Pick<MemberSession, 'lastSeenMessageId' | 'missed' | 'systemSha256' | 'hasSystemInPrompt' | 'knowsTask'> {
  const { missed, omitsSystemText } = start.prompt;
  const isInPrompt = omitsSystemText ? before?.hasSystemInPrompt : start.hasSystemInPrompt;
  return {
    lastSeenMessageId: lastShown(start),
    missed,
    systemSha256,
    hasSystemInPrompt: isInPrompt || undefined,
    knowsTask: start.hasOldTask ? undefined : true,
  };
}

/** In a blind round nothing is shown that was said after the question. */
function lastShown({ prompt, about, blindRound }: TurnStart): MessageId {
  return (blindRound === undefined ? undefined : about) ?? prompt.latestMessageId;
}
