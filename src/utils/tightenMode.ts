import { chmodSync, statSync } from 'node:fs';
import type { Logger } from './logger.js';

const OWNER_MAY_ENTER = 0o100;

/**
 * Takes from a file or folder, where it is there, all rights beyond these, with a notice; never adds one. A folder in
 * the place of a file is left as it is: without the right to enter it, its owner would have lost what is inside.
 */
export function tightenMode(path: string, mode: number, logger: Logger = {}): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isDirectory() && (mode & OWNER_MAY_ENTER) === 0)) return;
  const before = found.mode & 0o777;
  const after = before & mode;
  if (after === before) return;
  chmodSync(path, after);
  logger.warn?.(`${path} had mode ${before.toString(8)}; now ${after.toString(8)}`);
}
