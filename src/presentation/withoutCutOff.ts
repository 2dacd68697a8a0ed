import type { LiveTurn } from './LiveTurn.js';
import type { Telling } from './Telling.js';

/** The telling as it will be when someone continues: these turns are interrupted, and what is queued waits for a person. */
export function withoutCutOff<Told extends Pick<Telling, 'turns' | 'conversation'>>(
  told: Told,
  cutOff: readonly Pick<LiveTurn, 'turnId'>[],
): Told {
  if (cutOff.length === 0) return told;
  const { turns, conversation } = told;
  const { running, unfinished, queue, pause } = conversation;
  const isOver = ({ turnId }: Pick<LiveTurn, 'turnId'>) => cutOff.some((turn) => turn.turnId === turnId);
  const interrupted = running.filter(isOver).map((turn) => ({ turn, kind: 'interrupted' as const }));
  return {
    ...told,
    turns: turns.filter((turn) => !isOver(turn)),
    conversation: {
      ...conversation,
      running: running.filter((turn) => !isOver(turn)),
      unfinished: [...unfinished, ...interrupted],
      pause: queue.length > 0 ? (pause ?? { kind: 'reopened' }) : pause,
    },
  };
}
