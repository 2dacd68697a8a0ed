import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes down the process that a shell has started last. */
export const noteLast = (role: string) => `echo "$! ${role}" >> "$HOSTILE_PIDFILE"`;

/** Lines for a shell, given a program that starts itself again and again as long as it is there. */
type WayOut = (loop: string) => string;

const inAnotherSession = (program: string) =>
  `env -i setsid ${program} >/dev/null 2>&1 & ${noteLast('escaped')}`;

/** Lines for a shell that changes the filter of its core dumps as Java changes its own. */
const MORE_IN_CORE_DUMPS =
  'read -r own </proc/self/coredump_filter; echo $((0x$own | 12)) >/proc/self/coredump_filter';

/** What a program starts that is no agent, left to itself; its pid is in this file. */
export const startDaemon = (file: string) =>
  `setsid sh -c '(${MORE_IN_CORE_DUMPS}; exec sleep 60) & echo "$! daemon" >> ${file}' >/dev/null 2>&1`;

/** Ways out of the process group and the environment of a turn, each taken by one process that is written down. */
export const WAYS_OUT: ReadonlyArray<readonly [title: string, way: WayOut]> = [
  ['in another session, without its environment', () => inAnotherSession('sleep 60')],
  [
    'in another session, without our mark in its environment',
    () => `env -u HUDDLE_TURN setsid sleep 60 >/dev/null 2>&1 & ${noteLast('escaped')}`,
  ],
  [
    'whose parent is gone',
    () =>
      `env -i FILE="$HOSTILE_PIDFILE" setsid sh -c 'sleep 60 & echo "$! orphan" >> "$FILE"' >/dev/null 2>&1; true`,
  ],
  [
    'whose parent and grandparent are gone',
    () =>
      `env -i FILE="$HOSTILE_PIDFILE" sh -c 'setsid sh -c "setsid sleep 60 & echo \\"\\$! orphan\\" >> \\"$FILE\\"" & wait' >/dev/null 2>&1; true`,
  ],
  [
    'that wants more in its core dumps, as Java does',
    () =>
      `env -i FILE="$HOSTILE_PIDFILE" setsid sh -c '(${MORE_IN_CORE_DUMPS}; exec sleep 60) & echo "$! orphan" >> "$FILE"' >/dev/null 2>&1; true`,
  ],
  ['that always starts another program, without its environment', inAnotherSession],
  ['that always starts another program', (loop) => `setsid ${loop} >/dev/null 2>&1 & ${noteLast('escaped')}`],
  [
    'that keeps starting others',
    (loop) => inAnotherSession(`sh -c 'while [ -e ${loop} ]; do sleep 1 & wait $!; done'`),
  ],
];

/** The way out of a process that has also taken off the limit it was born with. */
export const UNMARKED = inAnotherSession('prlimit --rss=unlimited sleep 60');

/** The program for `WAYS_OUT`: at many moments its environment cannot be read. It ends when its file is removed. */
export function writeLoop(folder: string): string {
  const loop = join(folder, 'loop');
  writeFileSync(loop, '#!/bin/sh\nexec "$0"\n');
  chmodSync(loop, 0o755);
  return loop;
}

/** A folder for one test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-leftovers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
