import type { TurnQueue } from '../../conversation/TurnQueue.js';
import { findRecentTurn, type RecentTurns } from '../../conversation/turnIndex.js';
import type { QueuedTurn } from '../../models/ConversationEvent.js';
import type { MemberId } from '../../models/ids.js';
import type { Team } from '../../models/Team.js';
import { requireAgent } from '../../routing/teamMembers.js';

/** A folder in which turns work: the copy of a member, or the working folder itself. */
export interface TurnPlace {
  readonly copyOf?: MemberId | undefined;
}

/** Chooses where a turn works, among the turns that start with it; `known` are those that started before. */
export function choosePlace(turn: QueuedTurn, turns: TurnQueue, team: Team, known: RecentTurns): TurnPlace {
  const { memberId, checks } = turn;
  // A check looks at what the turn left, where that worked.
  if (checks !== undefined) return { copyOf: findRecentTurn(known, checks)?.copyOf };
  const isApart = requireAgent(team, memberId).workspace === 'copy' || isKeptApart(turn, turns, team, known);
  return isApart ? { copyOf: memberId } : {};
}

/** Several that may edit would overwrite each other. What is left of such a round, or retried of it, is no exception. */
function isKeptApart(turn: QueuedTurn, turns: TurnQueue, team: Team, known: RecentTurns): boolean {
  const { blindRound, retryOf, memberId } = turn;
  const mayEdit = (id: MemberId): boolean => requireAgent(team, id).permission !== 'read';
  if (blindRound === undefined || team.files?.blind === 'shared' || !mayEdit(memberId)) return false;
  if (turns.filter((other) => mayEdit(other.memberId)).length > 1) return true;
  return (
    known.some((other) => other.blindRound === blindRound && other.copyOf !== undefined) ||
    findRecentTurn(known, retryOf)?.copyOf !== undefined
  );
}
