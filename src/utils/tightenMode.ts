import { chmodSync, statSync } from 'node:fs';
import type { Logger } from './logger.js';

/** Takes from a file or folder, where it is there, all rights beyond these, with a notice; never adds one. */
export function tightenMode(path: string, mode: number, logger: Logger = {}): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const before = found.mode & 0o777;
  const after = before & mode;
  if (after === before) return;
  chmodSync(path, after);
  logger.warn?.(`${path} had mode ${before.toString(8)}; now ${after.toString(8)}`);
}
