import type { BytePath } from '../bytePaths.js';
import type { LookedAt } from './LookedAt.js';

/**
 * Files that were changed in the very moment of a record, with what the system said of them. Git compares times of change of
 * status by the second: content of the same length, written in that second and given its old time back, would be missed.
 */
export type RecentFiles = ReadonlyMap<BytePath, LookedAt>;

const NANOSECONDS = 1_000_000;
/** A second, and what clocks of file systems lag behind. */
const MOMENT_MS = 2000;

/** Chooses the files that can still change within the second that git knows of them. The later description of a file counts. */
export function findRecent(files: Iterable<LookedAt>, now: number): RecentFiles {
  const recent = Array.from(files).filter(
    ({ stats }) => Number(stats.ctimeNs) / NANOSECONDS > now - MOMENT_MS,
  );
  return new Map(recent.map((file) => [file.path, file]));
}
