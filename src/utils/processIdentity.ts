import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, named so that a later one with the same number is another. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time of the process, in the system's own words: tells two processes of the same number apart. */
  readonly processStart: string | null;
  readonly host: string;
}

export function describeThisProcess(): ProcessIdentity {
  return { pid: process.pid, processStart: readProcessStart(process.pid), host: hostname() };
}

/** Whether the process may still run. One on another machine cannot be checked and counts as alive. */
export function mayBeAlive({ pid, processStart, host }: ProcessIdentity): boolean {
  if (host !== hostname()) return true;
  if (!isRunning(pid)) return false;
  const start = readProcessStart(pid);
  return processStart === null || start === null || start === processStart;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readStat(pid)?.[0] !== 'Z';
  } catch (error) {
    // EPERM: it runs, for another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Boot and tick at which a process started; null where the system does not say, and the pid alone has to do. */
function readProcessStart(pid: number): string | null {
  const ticks = readStat(pid)?.[19];
  const boot = readText('/proc/sys/kernel/random/boot_id');
  return ticks === undefined || boot === null ? null : `${boot.trim()}/${ticks}`;
}

/** The fields after the name, which is in brackets and may hold anything; see proc(5). */
function readStat(pid: number): string[] | null {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // Not Linux, or the process is gone.
  }
}
