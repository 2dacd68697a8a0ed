import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { MARKER_VARIABLE } from './environment.js';

/**
 * Each line replaces what is known of a turn: `watch MARKER [GROUP]` or `forget MARKER`. At the end of the input our
 * process is gone, however it went, and so must be all it started. dash knows no `kill -KILL -- -GROUP`.
 */
const SCRIPT = `
turns=
while read -r verb marker group; do
  kept=
  for turn in $turns; do [ "\${turn%%:*}" = "$marker" ] || kept="$kept $turn"; done
  turns=$kept
  [ "$verb" = watch ] && turns="$turns $marker:$group"
done
patterns=
for turn in $turns; do
  [ -n "\${turn#*:}" ] && kill -s KILL -- "-\${turn#*:}"
  patterns="$patterns -e ${MARKER_VARIABLE}=\${turn%%:*}"
done
[ -n "$patterns" ] && for round in 1 2 3 4 5; do
  found=$(grep -lsF $patterns /proc/[0-9]*/environ)
  [ -n "$found" ] || break
  for file in $found; do pid=\${file#/proc/}; kill -s KILL "\${pid%/environ}"; done
done
exit 0
`;

/**
 * A small shell in its own session that outlives us by a moment: it kills what we started if we are killed ourselves.
 * Started with the first turn; it neither keeps us alive nor stays when we are gone.
 */
class Watchdog {
  #pipe: Socket | undefined;
  readonly #turns = new Map<string, string>();

  /** Call before the process is started, without its group, and again with it: no moment is left uncovered. */
  watch(marker: string, group?: number): void {
    this.#turns.set(marker, `watch ${marker} ${group ?? ''}\n`);
    this.#tell(marker);
  }

  forget(marker: string): void {
    this.#turns.delete(marker);
    this.#pipe?.write(`forget ${marker}\n`);
  }

  #tell(marker: string): void {
    if (this.#pipe?.writable) this.#pipe.write(this.#turns.get(marker) ?? '');
    else this.#start();
  }

  /** Without a watchdog turns still run and are cleaned up, unless we are killed; the next turn tries again. */
  #start(): void {
    const pipe = startShell();
    this.#pipe = pipe;
    for (const line of this.#turns.values()) pipe?.write(line);
  }
}

function startShell(): Socket | undefined {
  try {
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
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
