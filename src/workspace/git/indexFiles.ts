import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** No other process has it: a git of one that was killed may still write, and must not meet ours. */
const RUN = `${process.pid}-${randomBytes(4).toString('hex')}`;

/** The state that a record has found, until the record is written down: the next record, or the next process, starts from the last. */
export function nextOf(index: string): string {
  return `${index}.next.${RUN}`;
}

/**
 * Copies an index with its time, a little earlier: git reads files again that were changed at the time of the index or later,
 * and would trust them otherwise.
 */
export function copyIndex(from: string, to: string): void {
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  const time = (Math.floor(mtimeMs) - 1) / 1000;
  utimesSync(to, time, time);
}

/** Begins the next state with the last known one: git writes a new file when it changes an index, and leaves this one alone. */
export function beginNext(index: string): void {
  const next = nextOf(index);
  rmSync(next, { force: true });
  try {
    linkSync(index, next);
  } catch {
    copyIndex(index, next); // Not every file system has links.
  }
}

/** Makes the state that was found the last known one. */
export function settleIndex(index: string): void {
  const next = nextOf(index);
  if (!existsSync(next)) return;
  renameSync(next, index);
  // It stays if it is still the same file.
  rmSync(next, { force: true });
}

/** Removes what a process that was killed has left: its gits are gone too, or write to files that nobody reads. */
export function removeLeftovers(index: string): void {
  const [folder, name] = [dirname(index), basename(index)];
  const left = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of left)
    if (file === `${name}.lock` || file.startsWith(`${name}.next`))
      rmSync(join(folder, file), { force: true });
}
