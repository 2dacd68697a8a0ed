import { isHeld } from '../../../coordinator/Company.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { LiveTurn } from '../../../presentation/LiveTurn.js';
import type { Screen } from '../screen/Screen.js';

/** Turns that ended with the machine that held the conversation: the log does not say so before someone continues. */
export function findCutOff(
  { turns, conversation: { running } }: Pick<Screen, 'turns' | 'conversation'>,
  { company }: Pick<Conversation, 'company'>,
): readonly LiveTurn[] {
  if (company === undefined || isHeld(company)) return [];
  // Those of workers continue.
  const elsewhere = new Set(running.flatMap(({ turnId, runsOn }) => (runsOn === undefined ? [] : [turnId])));
  return turns.filter(({ turnId, ended }) => ended === undefined && !elsewhere.has(turnId));
}

/** These turns as they can still be read: what they asked or used is over. */
export function silenceCutOff(cutOff: readonly LiveTurn[]): readonly LiveTurn[] {
  return cutOff.map((turn) => ({ ...turn, permissions: [], tools: [], todo: [] }));
}
