import type { BigIntStats } from 'node:fs';
import type { FileState } from '../../models/FileChange.js';
import { type BytePath, fromText } from '../paths.js';
import { type OwnRepository, runInOwn } from './ownRepository.js';
import { GitError } from './runGit.js';

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

/** A file whose content is not kept: too large, not readable, or with a name that no index takes. */
export interface AsideFile {
  readonly state: FileState;
  /** Changes whenever the file does, and when its times do. */
  readonly signature: string;
}

export type AsideFiles = ReadonlyMap<BytePath, AsideFile>;

/** Most bytes of such files that are read at one time to tell what they hold. */
const MOST_READ = 256n * 1024n * 1024n;

/** The id of a content that is not known. */
export function unknownId({ format }: OwnRepository): string {
  return '0'.repeat(format === 'sha1' ? 40 : 64);
}

/** Describes files without keeping their contents; those known already, and of the same signature, as they were. */
export async function describeAside(
  repository: OwnRepository,
  files: readonly LookedAt[],
  known: AsideFiles,
  signal: AbortSignal | undefined,
): Promise<AsideFiles> {
  const described = new Map<BytePath, AsideFile>();
  let room = MOST_READ;
  for (const file of files) {
    const { path, stats } = file;
    const before = known.get(path);
    if (before !== undefined && isSameAside(before, file)) described.set(path, before);
    else {
      const mayRead = stats.isFile() && stats.size <= room;
      if (mayRead) room -= stats.size;
      const id = mayRead ? await hashFile(repository, path, signal) : undefined;
      const state = { mode: modeOf(stats), id: id ?? unknownId(repository) };
      described.set(path, { state, signature: signatureOf(stats) });
    }
  }
  return described;
}

/** Whether a file is the one that is known, untouched. */
export function isSameAside(known: AsideFile | undefined, now: AsideFile | LookedAt | undefined): boolean {
  if (known === undefined || now === undefined) return false;
  return known.signature === ('stats' in now ? signatureOf(now.stats) : now.signature);
}

async function hashFile(
  repository: OwnRepository,
  path: BytePath,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const input = `${quoteLine(`${fromText(repository.top)}/${path}`)}\n`;
    const args = ['hash-object', '--no-filters', '--stdin-paths'];
    return (await runInOwn(repository, { args, input, signal })).stdout.trim();
  } catch (error) {
    // It cannot be read: that it is there is all that can be told.
    if (error instanceof GitError && error.reason === 'failed') return undefined;
    throw error;
  }
}

/** A path as a line of its own. */
export function quoteLine(path: BytePath): string {
  if (!/["\n\\\r]/u.test(path)) return path;
  return `"${path.replaceAll(/["\\]/gu, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
}
