import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../utils/logger.js';
import { MARKER_VARIABLE } from './environment.js';

const PROCESSES = '/proc';
/** A process may fork between being seen and being killed, so we look again, a little later each time. */
const PAUSES = [5, 20, 50, 100, 200];

export interface Survivor {
  readonly pid: number;
  readonly name: string;
}

/** Whether processes can be found by their environment here. Where not, only the process group is stopped. */
const canSweep = process.platform === 'linux';

/** Says what of a member's processes would not die, and where such processes cannot even be found. */
export function reportSurvivors(survivors: readonly Survivor[], memberName: string, logger?: Logger): void {
  if (!canSweep) logger?.debug?.('Processes that left their group cannot be found on this system.');
  if (survivors.length === 0) return;
  const names = survivors.map(({ pid, name }) => `${pid} (${name})`).join(', ');
  logger?.warn?.(`${memberName}: these processes could not be stopped: ${names}`);
}

/** Kills every process that carries the marker, wherever it went, and says which of them would not die. */
export async function sweep(marker: string): Promise<Survivor[]> {
  let found = findMarked(marker);
  for (const pause of PAUSES) {
    if (found.length === 0) return [];
    for (const pid of found) killProcess(pid);
    await delay(pause);
    found = findMarked(marker);
  }
  return found.map((pid) => ({ pid, name: readName(pid) }));
}

/**
 * The processes that have the marker in their environment; the dead have none. Synchronous on purpose: these files are
 * memory, and reading them one by one is several times faster than through the thread pool.
 */
function findMarked(marker: string): number[] {
  if (!canSweep) return [];
  const needle = `${MARKER_VARIABLE}=${marker}`;
  return listProcesses()
    .filter((pid) => readProcessFile(pid, 'environ').includes(needle))
    .map(Number);
}

function listProcesses(): string[] {
  try {
    return readdirSync(PROCESSES).filter((name) => /^\d+$/u.test(name));
  } catch {
    return []; // No such folder in this container, or no descriptor left: the group has been killed all the same.
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone, or not ours to kill: the next look tells which.
  }
}

function readName(pid: number): string {
  return readProcessFile(String(pid), 'comm').trim() || 'unknown';
}

function readProcessFile(pid: string, file: string): string {
  try {
    return readFileSync(`${PROCESSES}/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // It ended meanwhile, or belongs to somebody else and so not to this turn.
  }
}
