import type { ConversationState } from '../../conversation/ConversationState.js';
import { findRecentTurn, type IndexedTurn } from '../../conversation/turnIndex.js';
import type { ConversationFact, FilesRecorded, QueuedTurn } from '../../models/ConversationEvent.js';
import type { TurnId } from '../../models/ids.js';
import type { Team } from '../../models/Team.js';
import { dropTurns, turnIdOf } from '../../routing/queueTurns.js';
import { agentsOf, findAgent } from '../../routing/teamMembers.js';

/** Queues the checks of what a turn changed, as the next turns; to be recorded together with the record. */
export function queueChecks(record: FilesRecorded, team: Team, state: ConversationState): ConversationFact[] {
  const { by, files, unlisted = 0 } = record;
  if (by.kind !== 'turns' || files.length + unlisted === 0) return [];
  return queueChecksOf(by.turnIds, team, state, () => true);
}

/** The same where nothing is recorded: after every turn of a member that may edit. */
export function queueUnrecordedChecks(
  turnIds: readonly TurnId[],
  team: Team,
  state: ConversationState,
): ConversationFact[] {
  const mayEdit = ({ memberId }: IndexedTurn) => findAgent(team, memberId)?.permission !== 'read';
  return queueChecksOf(turnIds, team, state, mayEdit);
}

/** Results of turns that are not checked: a person stopped it, or it is unknown how it ended. */
const UNCHECKED: readonly IndexedTurn['result'][] = [undefined, 'cancelled', 'interrupted'];

/** Queues each check once: of turns that ran at the same time in one folder, the last stands for all. */
function queueChecksOf(
  turnIds: readonly TurnId[],
  team: Team,
  state: ConversationState,
  isWanted: (turn: IndexedTurn) => boolean,
): ConversationFact[] {
  const checks = agentsOf(team).filter(({ check }) => check === true);
  const turn = turnIds
    .flatMap((turnId) => findRecentTurn(state.turns, turnId) ?? [])
    .findLast((ended) => !UNCHECKED.includes(ended.result) && !isOfCheck(ended, team) && isWanted(ended));
  if (turn === undefined || checks.length === 0) return [];
  const about = turn.messageId ?? turn.triggeredBy;
  const turns = checks.map(
    ({ id }, index): QueuedTurn => ({
      turnId: turnIdOf(state.turnCount + index),
      memberId: id,
      triggeredBy: about,
      about,
      checks: turn.turnId,
    }),
  );
  return [...dropStale(turn, state), { type: 'turns-queued', turns, place: 'front' }];
}

/** Whether a check has run, by itself or because someone asked for it. */
function isOfCheck({ checks, memberId }: IndexedTurn, team: Team): boolean {
  return checks !== undefined || findAgent(team, memberId)?.check === true;
}

/** Checks that still wait to look at an earlier state of the same place. */
function dropStale(turn: IndexedTurn, { queue, turns }: ConversationState): ConversationFact[] {
  const stale = queue.filter(({ checks }) => {
    if (checks === undefined) return false;
    const checked = findRecentTurn(turns, checks);
    return checked === undefined || checked.copyOf === turn.copyOf;
  });
  return dropTurns(stale);
}
