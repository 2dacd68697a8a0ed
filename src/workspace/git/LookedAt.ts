import type { BigIntStats } from 'node:fs';
import type { BytePath } from '../bytePaths.js';

/** A file that is there, as the system describes it. */
export interface LookedAt {
  readonly path: BytePath;
  readonly stats: BigIntStats;
}

/** Mode of a file as git writes it. */
export function modeOf(stats: BigIntStats): string {
  if (stats.isSymbolicLink()) return '120000';
  return (stats.mode & 0o100n) === 0n ? '100644' : '100755';
}

/** Changes whenever the file does, and when its times do. */
export function signatureOf({ mode, size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return [mode, size, mtimeNs, ctimeNs, ino].join(':');
}
