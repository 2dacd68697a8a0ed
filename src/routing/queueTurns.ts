import type { ConversationState } from '../conversation/ConversationState.js';
import type { ConversationFact, QueuedTurn } from '../models/ConversationEvent.js';
import type { Speaker } from '../models/ConversationMessage.js';
import type { MessageId, TurnId } from '../models/ids.js';
import type { AgentMember, Team } from '../models/Team.js';

/**
 * Turns for the agents that a message goes to, as many as the queue has room for. Who waits already will see the
 * message as well, so it is not queued twice; when no agent speaks, it is called forward instead.
 */
export function queueTurns(
  agents: readonly AgentMember[],
  { speaker, messageId }: { readonly speaker: Pick<Speaker, 'type'>; readonly messageId: MessageId },
  { routing, limits }: Team,
  { queue, turnCount }: ConversationState,
): ConversationFact[] {
  const isFannedOut = agents.length > 1 && routing.fanout !== 'sequential';
  const place = speaker.type === 'ai' ? 'back' : 'front';
  const asked = new Set(agents.map(({ id }) => id));
  const waiting = isFannedOut
    ? []
    : queue.filter(({ about, memberId }) => about === undefined && asked.has(memberId));
  const wanted =
    place === 'front' ? agents : agents.filter(({ id }) => !waiting.some(({ memberId }) => memberId === id));
  const room = Math.max(0, limits.queue - queue.length + (place === 'front' ? waiting.length : 0));
  const firstTurn = turnIdOf(turnCount);
  const turns = wanted.slice(0, room).map(
    ({ id }, index): QueuedTurn => ({
      turnId: turnIdOf(turnCount + index),
      memberId: id,
      triggeredBy: messageId,
      about: isFannedOut ? messageId : undefined,
      blindRound: isFannedOut && routing.fanout === 'blind' ? firstTurn : undefined,
    }),
  );
  const refused = wanted.slice(room).map(({ id }) => id);
  const facts: ConversationFact[] = [];
  if (place === 'front') facts.push(...dropTurns(waiting));
  if (turns.length > 0) facts.push({ type: 'turns-queued', turns, place });
  if (refused.length > 0)
    facts.push({ type: 'notice', code: 'queue-full', messageId, max: limits.queue, memberIds: refused });
  return facts;
}

/** The same turns once more, numbered after those there were; the turns of a blind round stay together. */
export function retryTurns(turns: readonly QueuedTurn[], turnCount: number): QueuedTurn[] {
  const rounds = new Map<TurnId, TurnId>();
  return turns.map((turn, index) => {
    const again = { ...turn, turnId: turnIdOf(turnCount + index), retryOf: turn.turnId };
    if (turn.blindRound === undefined) return again;
    const blindRound = rounds.get(turn.blindRound) ?? again.turnId;
    rounds.set(turn.blindRound, blindRound);
    return { ...again, blindRound };
  });
}

/** Queues a turn again as the next, with the whole prompt: its session could not continue. */
export function resendAfterLostSession(turn: QueuedTurn, turnCount: number): ConversationFact {
  return { type: 'turns-queued', turns: retryTurns([turn], turnCount), place: 'front' };
}

/** The fact that turns will not run; none for no turns. */
export function dropTurns(turns: readonly QueuedTurn[]): ConversationFact[] {
  if (turns.length === 0) return [];
  return [{ type: 'turns-dropped', turnIds: turns.map(({ turnId }) => turnId) }];
}

/** Facts of which no turn follows: those that they queue are dropped at once. */
export function dropFollowing(facts: readonly ConversationFact[]): readonly ConversationFact[] {
  const queued = facts.flatMap((fact) => (fact.type === 'turns-queued' ? fact.turns : []));
  return [...facts, ...dropTurns(queued)];
}

/** Turns are numbered in the order in which they are queued. */
export function turnIdOf(turnsBefore: number): TurnId {
  return `turn-${turnsBefore + 1}` as TurnId;
}
