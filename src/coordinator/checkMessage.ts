import type { ConversationState } from '../conversation/ConversationState.js';
import { findRecentTurn } from '../conversation/turnIndex.js';
import type { QueuedTurn } from '../models/ConversationEvent.js';
import type { AgentMember, Team } from '../models/Team.js';
import { turnIdOf } from '../routing/queueTurns.js';
import { awaitLastHuman } from '../routing/routeMessage.js';
import { findAgent } from '../routing/teamMembers.js';
import { introduceMember, type PreparedMessage, type RoutingInput } from './prepareMessage.js';

/** A check that has run. */
export interface EndedCheckTurn {
  readonly content: string;
  readonly member: AgentMember;
  readonly turn: QueuedTurn;
  readonly exitCode: number | undefined;
}

/**
 * The message of a check and what follows from it: if it passed, nothing; else the author of what it checked is next, about
 * this message, unless it could not finish: then a person is. No marker in it acts.
 */
export function prepareCheckMessage(
  { content, member, turn, exitCode }: EndedCheckTurn,
  { team, state, context }: RoutingInput,
): PreparedMessage {
  const hasPassed = exitCode === 0;
  const author = hasPassed ? undefined : authorOf(turn, team, state);
  const routing = author === undefined ? {} : { resolvedAddressees: [author.name] };
  const message = context.previewMessage({ content, speaker: introduceMember(member), routing });
  const added = { type: 'message-added', message, turnId: turn.turnId } as const;
  if (hasPassed) return { message, facts: [added] };
  if (author === undefined) return { message, facts: [added, ...awaitLastHuman(team, state)] };
  const next: QueuedTurn = {
    turnId: turnIdOf(state.turnCount),
    memberId: author.id,
    triggeredBy: message.id,
    about: message.id,
    ...sameRound(turn, state),
  };
  return { message, facts: [added, { type: 'turns-queued', turns: [next], place: 'front' }] };
}

/** The author stays in its copy, so it stays in the blind round for which that was made. */
function sameRound({ checks }: QueuedTurn, { turns }: ConversationState): Pick<QueuedTurn, 'blindRound'> {
  const { copyOf, blindRound } = findRecentTurn(turns, checks) ?? {};
  return copyOf === undefined ? {} : { blindRound };
}

function authorOf({ checks }: QueuedTurn, team: Team, { turns }: ConversationState): AgentMember | undefined {
  const checked = findRecentTurn(turns, checks);
  return checked?.result === 'completed' ? findAgent(team, checked.memberId) : undefined;
}
