import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../utils/logger.js';
import { tryTo } from '../../utils/tryTo.js';
import type { Descendants } from './Descendants.js';
import { hasProcessTable, readName } from './processTable.js';
import { settlesWithin } from './settlesWithin.js';
import type { AgentProcess } from './spawnAgent.js';

/** A stopped agent still gets this long to say what its turn cost. */
const ASK_MILLISECONDS = 1500;
const DEMAND_MILLISECONDS = 500;
/** A process that is not gone this long after SIGKILL hangs in the kernel. */
const KILL_MILLISECONDS = 500;

/**
 * A process may start another between being seen and being killed, and its mark is hidden for a moment while it starts
 * another program: so we look again, a little later each time, and believe that none is left when two looks say so.
 */
const PAUSES = [5, 5, 10, 20, 50, 100, 200];
const EMPTY_LOOKS = 2;
/** The time after a turn within which the next one has been started. */
const NEXT_TURN_MILLISECONDS = 20;

export interface LeftoverProcess {
  readonly pid: number;
  readonly name: string;
}

/** Waits so long. */
export type Pause = (milliseconds: number) => Promise<unknown>;

/** Wakes each that waits in passing. */
const passing = new Set<() => void>();
let isEnding = false;

/**
 * Stays out of the way of the next turn, and keeps no process alive. A process that is about to end makes short work of
 * what still waits, so that nothing is left for the watchdog.
 */
export const pauseInPassing: Pause = (milliseconds) => {
  if (isEnding) return delay(milliseconds);
  return new Promise<void>((resolve) => {
    if (passing.size === 0) process.once('beforeExit', hurry);
    const wake = () => {
      clearTimeout(timer);
      passing.delete(wake);
      if (passing.size === 0) process.off('beforeExit', hurry);
      resolve();
    };
    const timer = setTimeout(wake, Math.max(milliseconds, NEXT_TURN_MILLISECONDS)).unref();
    passing.add(wake);
  });
};

function hurry(): void {
  isEnding = true;
  for (const wake of passing) wake();
}

export interface TerminateOptions {
  /** The time it is asked to stop (SIGINT) before it is told to (SIGTERM). */
  readonly askMilliseconds?: number;
  readonly pause?: Pause;
}

/**
 * Stops an agent politely, then surely: SIGINT (and SIGCONT, in case it is stopped), SIGTERM, SIGKILL, each to the whole
 * group. Resolves when nothing of it is left, or with those that would not die. Once the leader has exited none is
 * asked any more: what it left behind is killed. Who its descendants are is looked at before every signal: when their
 * parents are gone, nothing may tell whose they were.
 */
export async function terminate(
  agent: AgentProcess,
  { askMilliseconds = ASK_MILLISECONDS, pause }: TerminateOptions = {},
): Promise<LeftoverProcess[]> {
  agent.closeStdin();
  await agent.descendants.look();
  signalGroup(agent, 'SIGINT');
  signalGroup(agent, 'SIGCONT');
  if (!(await settlesWithin(agent.exited, askMilliseconds))) {
    await agent.descendants.look();
    signalGroup(agent, 'SIGTERM');
    if (!(await settlesWithin(agent.exited, DEMAND_MILLISECONDS))) await agent.descendants.look();
  }
  return killLeftovers(agent, { pause });
}

/**
 * SIGKILL for the group and for all that left the group; also right after the leader has exited by itself. What is
 * known is killed before this returns, what can be found is gone, or named, when its promise settles.
 */
export async function killLeftovers(
  agent: AgentProcess,
  { pause }: Pick<TerminateOptions, 'pause'> = {},
): Promise<LeftoverProcess[]> {
  signalGroup(agent, 'SIGKILL');
  agent.descendants.kill();
  const leftovers = await killOrphans(agent.descendants, pause);
  const hasExited = await settlesWithin(agent.exited, KILL_MILLISECONDS);
  agent.forget();
  return hasExited ? leftovers : [...leftovers, { pid: agent.pid, name: 'agent' }];
}

/** Kills every descendant of an agent, wherever it went, and says which of them would not die. */
async function killOrphans(descendants: Descendants, pause: Pause = delay): Promise<LeftoverProcess[]> {
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

/**
 * Signals the group. If that fails, the group is empty, or holds only what we may not signal: `killOrphans`
 * names those.
 */
function signalGroup(agent: AgentProcess, signal: NodeJS.Signals): void {
  tryTo(() => process.kill(-agent.pid, signal));
}

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
