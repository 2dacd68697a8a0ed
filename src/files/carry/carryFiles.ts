import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { HuddleError } from '../../models/errors.js';
import type { FileState } from '../../models/FileChange.js';
import { fileReasonOf } from '../../utils/fileReason.js';
import { isSecretPath } from '../../utils/isSecretPath.js';
import { isSameState } from '../changes/fileHistory.js';
import type { OwnRepository } from '../git/ownRepository.js';
import { type BytePath, foldersAbove, onDisk, pathOf } from '../paths.js';
import type { CarryOutcome, PlannedFile } from '../Workspace.js';
import {
  folderOf,
  inSlices,
  isAsSeen,
  type LookedAtFolder,
  lookAtPaths,
  type SeenPath,
  seePath,
  statOf,
} from './lookAtPaths.js';
import { EXECUTABLE_MODE, LINK_MODE } from './planCarry.js';
import { isContentThere, readContent } from './prepareCarry.js';
import { makeStagingFolder, removeStagingLeftovers } from './stagingFolder.js';

type Moved = PlannedFile & { readonly name: BytePath };
type Written = Moved & { readonly after: FileState };

export interface CarryFilesOptions {
  /** Called when everything is ready, before the first file moves. What it throws stops all of it. */
  readonly begin?: () => void;
  /** Files that are not as they were planned for are left alone from the beginning; else nothing is touched then. */
  readonly leavesChanged?: boolean;
}

/**
 * Does what a plan says. Up to the first removal nothing was touched; from then on only names change. Every file is looked at
 * once more in the same breath: one that somebody changed meanwhile is left alone.
 *
 * @throws {@link HuddleError} (as a rejection) `FILES_CHANGING`, `FILES_NOT_WRITTEN`: nothing was touched.
 */
export async function carryFiles(
  repository: OwnRepository,
  files: readonly PlannedFile[],
  options: CarryFilesOptions = {},
): Promise<CarryOutcome> {
  const folder = folderOf(repository);
  refuse(files.filter(({ action }) => action === 'conflict' || action === 'not-kept'));
  const all = files.map((file) => ({ ...file, name: pathOf(file) }));
  const carrying = new Carrying(
    folder,
    all.filter(({ action }) => action !== 'none'),
  );
  let failure: HuddleError | undefined;
  try {
    await carrying.run(repository, options);
    for await (const { name, after } of inSlices(all))
      if (after === undefined) removeEmptyFolders(folder.root, foldersAbove(name));
  } catch (error) {
    failure = toFailure(error, carrying.moved.size > 0);
    if (carrying.moved.size === 0) throw failure;
  }
  // Without their names: those are ours.
  const those = (isMoved: boolean) =>
    all
      .filter(({ action, name }) => action !== 'none' && carrying.moved.has(name) === isMoved)
      .map(withoutName);
  const [moved, left] = [those(true), those(false)];
  if (moved.length === 0 && options.leavesChanged !== true) refuse(left);
  return { moved, left, ...(failure && { failure }) };
}

function withoutName({ name: _, ...file }: Moved): PlannedFile {
  return file;
}

function toFailure(error: unknown, isPartial: boolean): HuddleError {
  if (error instanceof HuddleError) return error;
  return new HuddleError('FILES_NOT_WRITTEN', { reason: fileReasonOf(error), isPartial }, { cause: error });
}

/** A run through the files of a plan. */
class Carrying {
  /** Names of the files that are as they will be. */
  readonly moved = new Set<BytePath>();
  readonly #folder: LookedAtFolder;
  readonly #files: readonly Moved[];
  readonly #seen = new Map<BytePath, SeenPath>();

  constructor(folder: LookedAtFolder, files: readonly Moved[]) {
    this.#folder = folder;
    this.#files = files;
  }

  async run(repository: OwnRepository, { begin, leavesChanged = false }: CarryFilesOptions): Promise<void> {
    const { root } = this.#folder;
    requireWritableFolders(root, this.#files);
    for await (const { name } of inSlices(this.#files)) this.#seen.set(name, seePath(root, name));
    await removeStagingLeftovers(root);
    const staging = makeStagingFolder(root);
    try {
      const written = this.#files.filter((file): file is Written => file.after !== undefined);
      const staged = await stage(repository, root, staging, written);
      const ready = await this.#look(leavesChanged);
      if (ready.length === 0) return;
      begin?.();
      for await (const file of inSlices(ready)) if (file.after === undefined) this.#remove(file);
      for await (const file of inSlices(ready)) if (isWritten(file)) this.#place(file, staged.get(file.name));
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  }

  /** Looks at what all files hold. Resolves with those that are as planned. */
  async #look(leavesChanged: boolean): Promise<readonly Moved[]> {
    const names = this.#files.map(({ name }) => name);
    const found = await lookAtPaths(this.#folder, names);
    const isReady = ({ name, now }: Moved): boolean => isSameState(found.get(name)?.state, now);
    if (!leavesChanged) refuse(this.#files.filter((file) => !isReady(file)));
    return this.#files.filter(isReady);
  }

  #remove(file: Moved): void {
    const { root } = this.#folder;
    const { name } = file;
    if (!areFolders(root, foldersAbove(name)) || !this.#isAsSeen(file)) return;
    unlinkSync(onDisk(root, name));
    this.moved.add(name);
  }

  #place(file: Written, staged: string | undefined): void {
    const { root } = this.#folder;
    const { name, after } = file;
    if (!this.#isAsSeen(file) || !makeFoldersAbove(root, name)) return;
    const target = onDisk(root, name);
    const there = statOf(root, name);
    if (staged === undefined) {
      if (there?.isFile()) chmodSync(target, withExecutable(there.mode, after.mode));
    } else {
      if (there?.isDirectory()) removeEmptyTree(root, name);
      renameSync(staged, target);
    }
    this.moved.add(name);
  }

  #isAsSeen({ name, now }: Moved): boolean {
    const seen = this.#seen.get(name);
    return seen !== undefined && isAsSeen(this.#folder, name, { seen, now });
  }
}

function isWritten(file: Moved): file is Written {
  return file.after !== undefined;
}

function refuse(files: readonly PlannedFile[]): void {
  if (files.length > 0) throw new HuddleError('FILES_CHANGING', { paths: files.map(({ path }) => path) });
}

/** A folder that is closed to us would stop us half way. */
function requireWritableFolders(root: string, moved: readonly Moved[]): void {
  const folders = new Set(moved.flatMap(({ name }) => foldersAbove(name)));
  for (const name of folders) {
    const stats = statOf(root, name);
    if (stats?.isDirectory()) accessSync(onDisk(root, name), constants.W_OK | constants.X_OK);
  }
}

/** Writes the new contents and links, with the rights they will have. Resolves with their places. */
async function stage(
  repository: OwnRepository,
  root: string,
  staging: string,
  written: readonly Written[],
): Promise<ReadonlyMap<BytePath, string>> {
  const staged = new Map<BytePath, string>();
  const needed = new Map<string, Written[]>();
  for (const file of written.filter(needsContent))
    needed.set(file.after.id, [...(needed.get(file.after.id) ?? []), file]);
  refuse([...needed].flatMap(([id, files]) => (isContentThere(repository, id) ? [] : files)));
  for await (const [id, files] of inSlices(needed)) {
    const content = await readContent(repository, id);
    for (const { name, after } of files) {
      const file = join(staging, String(staged.size));
      if (after.mode === LINK_MODE) symlinkSync(content, file);
      else writeLike(root, name, file, { content, mode: after.mode });
      staged.set(name, file);
    }
  }
  return staged;
}

/** Else only its rights change. */
function needsContent({ now, after }: Written): boolean {
  return now?.id !== after.id || now.mode === LINK_MODE || after.mode === LINK_MODE;
}

/** Writes a file with the rights and the owner of the one that it replaces. */
function writeLike(
  root: string,
  name: BytePath,
  file: string,
  { content, mode }: { readonly content: Buffer; readonly mode: string },
): void {
  const replaced = statOf(root, name);
  const isFile = replaced?.isFile() === true;
  // The rights of a new file are those that the user gives to new files; one that holds secrets is closed to others.
  writeFileSync(file, content, {
    mode: isSecretPath(name) ? 0o600 : mode === EXECUTABLE_MODE ? 0o777 : 0o666,
  });
  if (!isFile) return;
  if (replaced.uid !== process.getuid?.()) tryToGive(file, replaced);
  chmodSync(file, withExecutable(replaced.mode, mode));
}

/** Rights with those to execute as recorded: for everybody who may read, or for nobody. */
function withExecutable(bits: number, mode: string): number {
  const isExecutable = (bits & 0o100) !== 0;
  if (isExecutable === (mode === EXECUTABLE_MODE)) return bits & 0o777;
  return mode === EXECUTABLE_MODE ? (bits & 0o777) | ((bits & 0o444) >> 2) : bits & 0o666;
}

/** Gives a file to another user, if that may be: the content counts more. */
function tryToGive(file: string, { uid, gid }: Stats): void {
  try {
    chownSync(file, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Folders only: a link in the place of one leads elsewhere, and nothing is done there. */
function areFolders(root: string, names: readonly BytePath[]): boolean {
  return names.every((name) => statOf(root, name)?.isDirectory());
}

/** False: something else stands in the place of one. */
function makeFoldersAbove(root: string, name: BytePath): boolean {
  for (const above of foldersAbove(name)) {
    const there = statOf(root, above);
    if (there === undefined) mkdirSync(onDisk(root, above));
    else if (!there.isDirectory()) return false;
  }
  return true;
}

/** Removes what is left of a folder whose files have all left. */
function removeEmptyTree(root: string, name: BytePath): void {
  for (const entry of readdirSync(onDisk(root, name), { encoding: 'buffer' }))
    removeEmptyTree(root, `${name}/${entry.toString('latin1')}`);
  rmdirSync(onDisk(root, name));
}

/** Removes folders that have become empty, from the innermost up. */
function removeEmptyFolders(root: string, folders: readonly BytePath[]): void {
  const real = countFolders(root, folders);
  for (const name of folders.slice(0, real).toReversed()) {
    try {
      rmdirSync(onDisk(root, name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Something is left in it, or it is not ours to remove: it stays, and so do those above.
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EBUSY' || code === 'EACCES') return;
      throw error;
    }
  }
}

/** Counts those that are folders, up to the first that is a link, a file or gone. */
function countFolders(root: string, folders: readonly BytePath[]): number {
  for (const [index, name] of folders.entries()) if (!statOf(root, name)?.isDirectory()) return index;
  return folders.length;
}
