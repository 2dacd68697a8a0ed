import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { MARKER_VARIABLE } from './environment.js';
import { MARKER_BEGINNING } from './turnMarker.js';

/**
 * Each line says `watch GROUP` or `forget GROUP`. At the end of the input our process is gone, however it went, and so
 * must be all it started: the groups, and whatever carries a mark of ours, in a group we had no time to name or in one
 * of its own. dash knows no `kill -KILL -- -GROUP`.
 */
const SCRIPT = `
groups=
while read -r verb group; do
  kept=
  for known in $groups; do [ "$known" = "$group" ] || kept="$kept $known"; done
  groups=$kept
  [ "$verb" = watch ] && groups="$groups $group"
done
for group in $groups; do kill -s KILL -- "-$group"; done
for round in 1 2 3 4 5; do
  found=$(grep -lsF ${MARKER_VARIABLE}=${MARKER_BEGINNING} /proc/[0-9]*/environ)
  [ -n "$found" ] || break
  for file in $found; do pid=\${file#/proc/}; kill -s KILL "\${pid%/environ}"; done
done
exit 0
`;

/**
 * A small shell in its own session that outlives us by a moment: it kills what we started if we are killed ourselves.
 * It neither keeps us alive nor stays when we are gone.
 */
class Watchdog {
  #pipe: Socket | undefined;
  readonly #groups = new Set<number>();

  /** Call before a process is started: from then on no moment is left uncovered. Without a shell turns still run. */
  wake(): void {
    if (this.#pipe?.writable) return;
    this.#pipe = startShell();
    for (const group of this.#groups) this.#tell('watch', group);
  }

  watch(group: number): void {
    this.#groups.add(group);
    this.#tell('watch', group);
  }

  forget(group: number): void {
    this.#groups.delete(group);
    this.#tell('forget', group);
  }

  #tell(verb: 'watch' | 'forget', group: number): void {
    this.#pipe?.write(`${verb} ${group}\n`);
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
