import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { FileState } from '../../models/FileChange.js';
import type { BytePath } from '../bytePaths.js';
import type { LookedAtFolder } from './lookAtPaths.js';
import { onDisk } from './pathsOnDisk.js';
import { LINK_MODE } from './planCarry.js';

/** A path at the moment when it was looked at, before its content was. */
export interface SeenPath {
  /** Absent: nothing was there. */
  readonly stats?: BigIntStats | undefined;
  /** Epoch nanoseconds. */
  readonly at: bigint;
}

/** A change within this time of another may leave the times of a file as they are, on the coarsest file systems. */
const COARSE_NS = 2_000_000_000n;

export function seePath(root: string, name: BytePath): SeenPath {
  return { at: BigInt(Date.now()) * 1_000_000n, stats: statExactly(root, name) };
}

/**
 * Whether nobody touched a path since it was seen, and found to be so. Synchronous, like what is done to the path next: so
 * nobody in this process comes in between, and another has no time to.
 */
export function isAsSeen(
  folder: LookedAtFolder,
  name: BytePath,
  { seen, now }: { readonly seen: SeenPath; readonly now: FileState | undefined },
): boolean {
  const { root } = folder;
  const stats = statExactly(root, name);
  if (now === undefined) return isStillFree(root, name, stats, seen);
  if (stats === undefined || seen.stats === undefined || !haveSameRights(stats, seen.stats)) return false;
  if (isSameVersion(stats, seen.stats) && !isRecent(seen)) return true;
  // Its times alone may have changed, with a link to it or with a touch; or are too coarse to tell.
  return hashNow(folder, name, now) === now.id && isSameVersion(stats, statExactly(root, name));
}

/** Nothing is there, or a folder that was there before and has no files left. */
function isStillFree(root: string, name: BytePath, stats: BigIntStats | undefined, seen: SeenPath): boolean {
  if (stats === undefined) return true;
  return stats.isDirectory() && seen.stats?.ino === stats.ino && !holdsFiles(root, name);
}

function holdsFiles(root: string, name: BytePath): boolean {
  return readdirSync(onDisk(root, name), { withFileTypes: true, encoding: 'buffer' }).some(
    (entry) => !entry.isDirectory() || holdsFiles(root, `${name}/${entry.name.toString('latin1')}`),
  );
}

function haveSameRights(one: BigIntStats, other: BigIntStats): boolean {
  return one.mode === other.mode && one.uid === other.uid && one.gid === other.gid;
}

function isSameVersion(one: BigIntStats, other: BigIntStats | undefined): boolean {
  return (
    one.ino === other?.ino &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  );
}

function isRecent({ stats, at }: SeenPath): boolean {
  return stats !== undefined && (at - stats.mtimeNs < COARSE_NS || at - stats.ctimeNs < COARSE_NS);
}

/** Undefined: it cannot be read, so it is not what was seen. */
function hashNow({ root, format }: LookedAtFolder, name: BytePath, { mode }: FileState): string | undefined {
  try {
    const place = onDisk(root, name);
    const content = mode === LINK_MODE ? readlinkSync(place, { encoding: 'buffer' }) : readFileSync(place);
    return createHash(format).update(`blob ${content.length}\0`).update(content).digest('hex');
  } catch {
    return undefined;
  }
}

function statExactly(root: string, name: BytePath): BigIntStats | undefined {
  try {
    return lstatSync(onDisk(root, name), { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    // A file stands in the place of a folder above it.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
