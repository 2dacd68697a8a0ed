import { endInterrupted, type OpenTurn } from '../conversation/Agenda.js';
import type { ConversationStatus } from '../conversation/ConversationStatus.js';
import type { ConversationFact, Notice, QueuedTurn } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { dropTurns } from '../routing/queueTurns.js';
import { findAgent } from '../routing/teamMembers.js';
import type { ConversationLog, LostLease } from '../store/Store.js';
import { noteLostSession } from './concludeTurn.js';
import { findChangedProfiles } from './memberProfile.js';

/** The part of a log that matters when its conversation is reopened. */
type Reopened = Pick<ConversationLog, 'takenOverFrom' | 'restoredSeq' | 'lastSeq'>;

/**
 * Facts to store on reopening a conversation. Nothing runs automatically: queued turns wait for a person. Turns that run
 * on, on other machines, are followed.
 */
export function describeReopening(
  status: ConversationStatus,
  team: Team,
  { takenOverFrom, restoredSeq = 0, lastSeq }: Reopened,
  adopted: readonly OpenTurn[] = [],
): ConversationFact[] {
  const { state, memory } = status;
  const { queue, unfinished, running, pause } = state;
  const isHere = ({ memberId }: QueuedTurn) => findAgent(team, memberId) !== undefined;
  const left = [...queue, ...unfinished.map(({ turn }) => turn), ...running];
  const orphans = left.filter((turn) => !isHere(turn));
  const isWaiting = queue.some(isHere) && pause === null;
  return [
    ...(takenOverFrom === undefined ? [] : [noteTakeOver(takenOverFrom)]),
    ...running.filter((turn) => !adopted.includes(turn)).flatMap((turn) => interrupt(turn, status)),
    ...(restoredSeq === lastSeq ? [...memory.sessions.keys()] : []).map(noteInherited),
    ...dropOrphans(orphans),
    ...findChangedProfiles(team, memory.profiles),
    ...(isWaiting ? [{ type: 'conversation-pause', reason: { kind: 'reopened' } } as const] : []),
  ];
}

function noteTakeOver({ pid, host, continuedBy }: LostLease): Notice {
  return { type: 'notice', code: 'lease-taken-over', pid, host, continuedBy };
}

/** The original continues in its agents' own sessions, so a copy of it must not; see `remember`. */
function noteInherited(memberId: MemberId): Notice {
  return { type: 'notice', code: 'session-not-forked', memberId };
}

/** Ends a turn as interrupted, and says so. */
export function interrupt(turn: OpenTurn, status: ConversationStatus): ConversationFact[] {
  const { memberId } = turn;
  const end = endInterrupted(turn);
  return [
    end,
    { type: 'notice', code: 'turn-interrupted', memberId },
    ...noteLostSession(memberId, status, end),
  ];
}

/** Turns of members that have left the team. */
function dropOrphans(turns: readonly QueuedTurn[]): ConversationFact[] {
  if (turns.length === 0) return [];
  const memberIds = [...new Set(turns.map(({ memberId }) => memberId))];
  return [...dropTurns(turns), { type: 'notice', code: 'members-gone', memberIds }];
}
