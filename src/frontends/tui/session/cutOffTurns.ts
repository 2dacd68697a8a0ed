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

/** The screen as it will be when someone continues: these turns are interrupted, and what is queued waits for a person. */
export function withoutCutOff(screen: Screen, cutOff: readonly LiveTurn[]): Screen {
  if (cutOff.length === 0) return screen;
  const { turns, conversation } = screen;
  const { running, unfinished, queue, pause } = conversation;
  const isOver = ({ turnId }: Pick<LiveTurn, 'turnId'>) => cutOff.some((turn) => turn.turnId === turnId);
  const interrupted = running.filter(isOver).map((turn) => ({ turn, kind: 'interrupted' as const }));
  return {
    ...screen,
    turns: turns.filter((turn) => !isOver(turn)),
    conversation: {
      ...conversation,
      running: running.filter((turn) => !isOver(turn)),
      unfinished: [...unfinished, ...interrupted],
      pause: queue.length > 0 ? (pause ?? { kind: 'reopened' }) : pause,
    },
  };
}

/** These turns as they can still be read: what they asked or used is over. */
export function silenceCutOff(cutOff: readonly LiveTurn[]): readonly LiveTurn[] {
  return cutOff.map((turn) => ({ ...turn, permissions: [], tools: [], todo: [] }));
}
