import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../utils/logger.js';
import type { Descendants } from './Descendants.js';
import { hasProcessTable, readName } from './processTable.js';

/**
 * A process may start another between being seen and being killed, and its mark is hidden for a moment while it starts
 * another program: so we look again, a little later each time, and believe that nobody is left when two looks say so.
 */
const PAUSES = [5, 5, 10, 20, 50, 100, 200];
const EMPTY_LOOKS = 2;
/** When so much time has gone by since a turn, the next one has been started. */
const NEXT_TURN_MILLISECONDS = 20;

export interface LeftoverProcess {
  readonly pid: number;
  readonly name: string;
}

/** Waits so long. */
export type Pause = (milliseconds: number) => Promise<unknown>;

/** Stays out of the way of the next turn, and keeps nobody alive: where our process ends first, the watchdog does the rest. */
export const pauseInPassing: Pause = (milliseconds) =>
  delay(Math.max(milliseconds, NEXT_TURN_MILLISECONDS), undefined, { ref: false });

/** Says what of a member's processes would not die, and where such processes cannot even be found. */
export function reportLeftovers(
  leftovers: readonly LeftoverProcess[],
  memberName: string,
  logger?: Logger,
): void {
  if (!hasProcessTable) logger?.debug?.('Processes that left their group cannot be found on this system.');
  if (leftovers.length === 0) return;
  const names = leftovers.map(({ pid, name }) => `${pid} (${name})`).join(', ');
  logger?.warn?.(`${memberName}: these processes could not be stopped: ${names}`);
}

/** Kills every descendant of an agent, wherever it went, and says which of them would not die. */
export async function killOrphans(
  descendants: Descendants,
  pause: Pause = delay,
): Promise<LeftoverProcess[]> {
  let emptyLooks = 0;
  for (const milliseconds of PAUSES) {
    await pause(milliseconds);
    const found = await descendants.look();
    emptyLooks = found.length === 0 ? emptyLooks + 1 : 0;
    if (emptyLooks === EMPTY_LOOKS) return [];
    descendants.kill();
  }
  return (await descendants.look()).map(({ pid }) => ({ pid, name: readName(pid) }));
}
