import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { controlGroupFolder } from './controlGroup.js';
import { filterOfOthers } from './markedStart.js';
import type { ProcessEntry } from './processTable.js';
import { WATCHDOG_SCRIPT } from './watchdogScript.js';

/**
 * A small shell in its own session that outlives us by a moment: it kills what we started if we are killed ourselves.
 * It neither keeps us alive nor stays when we are gone.
 */
class Watchdog {
  #pipe: Socket | undefined;
  /** What was said of each group, in order to say it again to another shell. */
  readonly #groups = new Map<number, string[]>();

  /** Call before a process is started: from then on no moment is left uncovered. Without a shell turns still run. */
  wake(): void {
    if (this.#pipe?.writable) return;
    this.#pipe = startShell();
    this.#pipe?.write([...this.#groups.values()].flat().join(''));
  }

  watch(group: number): void {
    this.#groups.set(group, []);
    this.#tell(group, `watch ${group}\n`);
  }

  /** A descendant that may be in no group we watch. */
  note(group: number, { pid, start }: ProcessEntry): void {
    this.#tell(group, `note ${group} ${pid} ${start}\n`);
  }

  forget(group: number): void {
    this.#groups.delete(group);
    this.#pipe?.write(`forget ${group}\n`);
  }

  #tell(group: number, line: string): void {
    this.#groups.get(group)?.push(line);
    this.#pipe?.write(line);
  }
}

function startShell(): Socket | undefined {
  try {
    const shell = spawn(
      '/bin/sh',
      ['-c', WATCHDOG_SCRIPT, 'sh', controlGroupFolder() ?? '', ...filterOfOthers()],
      {
        detached: true,
        cwd: '/',
        env: { PATH: '/usr/bin:/bin' },
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    // Node types the pipe as any stream; it is a socket, and missing when there are no descriptors left.
    const pipe = shell.stdin as Socket | undefined;
    shell.on('error', () => pipe?.destroy());
    pipe?.on('error', () => pipe.destroy());
    shell.unref();
    pipe?.unref();
    return pipe;
  } catch {
    return undefined; // `spawn` reports some shortages by throwing and others by an event.
  }
}

/** The one watchdog of this process. */
export const watchdog = new Watchdog();
