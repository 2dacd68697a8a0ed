import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FileState } from '../../models/FileChange.js';
import { isSameState } from '../changes/fileHistory.js';
import type { BytePath } from '../paths.js';
import { RecordLimitError } from '../whyNotRecorded.js';
import { isKeptContent, keepContents, nameKept } from './keepContents.js';
import {
  type AsideFiles,
  describeAside,
  type FolderLook,
  findRecent,
  isSameAside,
  type LookedAt,
  lookAtFolder,
  type RecentFiles,
} from './lookAtFolder.js';
import type { OwnRepository } from './ownRepository.js';
import { forgetPaths, seedFromOwn, seedIndex } from './seedIndex.js';
import { addFiles, beginNext, nextOf, readStates } from './updateIndex.js';

/** A change between two records. */
export interface ByteChange {
  readonly path: BytePath;
  readonly before?: FileState;
  readonly after?: FileState;
  readonly isKept?: false;
}

export interface RecordFolderOptions {
  /** Files that are known, but not in the index. */
  readonly aside: AsideFiles;
  readonly recent: RecentFiles;
  /** List of the ids that the conversation needs. */
  readonly kept: string;
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** The state of a folder beside its index. Paths are from the top of the repository. */
export interface FolderState {
  readonly aside: AsideFiles;
  /** Folders with repositories of their own. */
  readonly nested: readonly BytePath[];
  readonly recent: RecentFiles;
}

export interface FolderFindings extends FolderState {
  readonly changes: readonly ByteChange[];
}

/** So many files that differ make it worth while to take over the user's index, if that is newer. */
const MANY = 200;
const MOST_FILES = 200_000;
const MOST_BYTES = 2n * 1024n ** 3n;

/**
 * Finds what differs from the last known state. The state of now is left beside it, as `next`, and becomes the last known one
 * when it is settled. Where no state is known, everything is new.
 */
export async function recordFolder(
  repository: OwnRepository,
  options: RecordFolderOptions,
): Promise<FolderFindings> {
  const { signal, aside: known, kept } = options;
  const { index } = repository;
  const now = Date.now();
  let look = await lookAtFolder(repository, { ...options, index, signal });
  if (isUnchanged(look, known)) {
    return {
      changes: [],
      aside: known,
      nested: look.nested,
      recent: findRecent(options.recent.values(), now),
    };
  }
  let before = look.before;
  const isRenewed =
    look.there.length > MANY && isUserIndexNewer(repository) && (await seedIndex(repository, signal));
  if (isRenewed) {
    before = await readStates(repository, 'all', { index, signal });
    look = await lookAtFolder(repository, { ...options, index: nextOf(index), signal });
  } else if (existsSync(index)) beginNext(index);
  const { states, aside } = await updateState(repository, look, options, isRenewed);
  const named = isRenewed ? states.keys() : look.there.map(({ path }) => path);
  const paths = new Set([...before.keys(), ...named, ...known.keys(), ...aside.keys()]);
  const changes = Array.from(paths).flatMap((path) => {
    if (isSameAside(known.get(path), aside.get(path))) return [];
    const was = before.get(path) ?? known.get(path)?.state;
    return describeChange(path, was, states.get(path) ?? aside.get(path)?.state);
  });
  const ids = changes.flatMap(({ path, before: was, after }) => [
    ...(was && !known.has(path) ? [was.id] : []),
    ...(after && !aside.has(path) ? [after.id] : []),
  ]);
  await keepContents(repository, ids, signal);
  nameKept(
    kept,
    ids.filter((id) => isKeptContent(repository, id)),
  );
  return {
    changes: changes.map((change) => markUnkept(repository, change)),
    aside,
    nested: look.nested,
    recent: findRecent([...options.recent.values(), ...look.there], now),
  };
}

/** Takes everything that is there as the state to start from, left as `next`. */
export async function recordFirst(
  repository: OwnRepository,
  options: RecordFolderOptions,
): Promise<FolderState> {
  const { signal, kept } = options;
  const now = Date.now();
  if (!(await seedFromOwn(repository, kept, signal))) await seedIndex(repository, signal);
  const look = await lookAtFolder(repository, { ...options, index: nextOf(repository.index), signal });
  const { states, aside } = await updateState(repository, look, options);
  nameKept(
    kept,
    look.there
      .flatMap(({ path }) => states.get(path)?.id ?? [])
      .filter((id) => isKeptContent(repository, id)),
  );
  return { aside, nested: look.nested, recent: findRecent(look.there, now) };
}

/** Brings `next` up to what was seen, and tells the states of at least the files that are there. */
async function updateState(
  repository: OwnRepository,
  look: FolderLook,
  { aside: known, signal, onProgress }: RecordFolderOptions,
  isWhole = false,
): Promise<{ readonly states: ReadonlyMap<BytePath, FileState>; readonly aside: AsideFiles }> {
  requireModest(look.there);
  const index = nextOf(repository.index);
  const aside = look.aside.map(({ path }) => path);
  const out = [...look.gone, ...aside, ...look.doubted].filter((path) => look.before.has(path));
  const there = look.there.map(({ path }) => path);
  // First out, so that a file may stand where a folder was, and the other way round.
  await forgetPaths(repository, index, out, signal);
  const unreadable = await addFiles(repository, there, { index, signal, onProgress });
  await forgetPaths(repository, index, unreadable, signal);
  const states = await readStates(repository, isWhole ? 'all' : there, { index, signal });
  const refused = look.there.filter(({ path }) => !states.has(path));
  return { states, aside: await describeAside(repository, [...look.aside, ...refused], known, signal) };
}

function isUnchanged({ gone, there, aside }: FolderLook, known: AsideFiles): boolean {
  const isEmpty = gone.length === 0 && there.length === 0;
  return (
    isEmpty && aside.length === known.size && aside.every((file) => isSameAside(known.get(file.path), file))
  );
}

function isUserIndexNewer({ user, index }: OwnRepository): boolean {
  const source = user && join(user.gitFolder, 'index');
  if (source === undefined || !existsSync(source) || !existsSync(index)) return false;
  return statSync(source).mtimeMs > statSync(index).mtimeMs;
}

function requireModest(files: readonly LookedAt[]): void {
  if (files.length > MOST_FILES) throw new RecordLimitError('too-many-files', files.length);
  const bytes = files.reduce((sum, { stats }) => sum + stats.size, 0n);
  if (bytes > MOST_BYTES) throw new RecordLimitError('too-much-content', Number(bytes));
}

function describeChange(
  path: BytePath,
  before: FileState | undefined,
  after: FileState | undefined,
): ByteChange[] {
  const isSame = isSameState(before, after) && !/^0+$/u.test(after?.id ?? '');
  return isSame ? [] : [{ path, ...(before && { before }), ...(after && { after }) }];
}

/** The change, marked if a content of it does not stay. */
export function markUnkept(repository: OwnRepository, change: ByteChange): ByteChange {
  const states = [change.before, change.after].filter((state) => state !== undefined);
  return states.every(({ id }) => isKeptContent(repository, id)) ? change : { ...change, isKept: false };
}
