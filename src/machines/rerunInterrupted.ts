import type { UnfinishedTurn } from '../conversation/Agenda.js';
import type { DecidingConversation } from '../coordinator/Mandate.js';
import type { PauseReason, QueuedTurn } from '../models/ConversationEvent.js';
import { retryTurns } from '../routing/queueTurns.js';
import { findAgent } from '../routing/teamMembers.js';

/**
 * Queues turns that a machine did not live to end, if their team says so: of members that may only read, each once. For
 * conversations without a person who could decide. Resolves with their number.
 */
export async function rerunInterrupted(conversation: DecidingConversation): Promise<number> {
  const { team } = conversation;
  if (team.retryInterrupted !== 'read') return 0;
  const { unfinished, turnCount, pause } = conversation.snapshot().state;
  const interrupted = unfinished.flatMap((each) => (isInterrupted(each, pause) ? [each.turn] : []));
  const readers = interrupted.filter(({ memberId }) => mayOnlyRead(findAgent(team, memberId)));
  if (readers.length === 0) return 0;
  const reruns = await findReruns(conversation);
  const wanted = readers.filter(({ turnId }) => !reruns.has(turnId));
  if (wanted.length === 0) return 0;
  conversation.record([{ type: 'turns-queued', turns: retryTurns(wanted, turnCount), place: 'front' }]);
  return wanted.length;
}

/** A turn is also stopped by a worker that gives its conversation back. A person who stops one pauses the conversation. */
function isInterrupted({ kind }: UnfinishedTurn, pause: PauseReason | null): boolean {
  return kind === 'interrupted' || (kind === 'cancelled' && pause?.kind !== 'cancelled');
}

/** The permission of a member elsewhere is in that machine's own file. */
function mayOnlyRead(member: ReturnType<typeof findAgent>): boolean {
  return member?.permission === 'read' && member.runsOn === undefined;
}

/** Turns that took the place of others. */
async function findReruns(conversation: DecidingConversation): Promise<Set<QueuedTurn['turnId']>> {
  const reruns = new Set<QueuedTurn['turnId']>();
  for await (const event of conversation.history()) {
    if (event.type !== 'turns-queued') continue;
    for (const { turnId, retryOf } of event.turns) if (retryOf !== undefined) reruns.add(turnId);
  }
  return reruns;
}
