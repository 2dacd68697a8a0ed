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
import { type BytePath, pathOf } from '../bytePaths.js';
import { isContentThere, readContent } from '../git/contents.js';
import type { OwnRepository } from '../git/ownRepository.js';
import type { PlannedFile } from '../Workspace.js';
import { inSlices } from './inSlices.js';
import { folderOf, type LookedAtFolder, lookAtPaths, statOf } from './lookAtPaths.js';
import { foldersAbove, onDisk } from './pathsOnDisk.js';
import { areEqual, EXECUTABLE_MODE, LINK_MODE } from './planCarry.js';
import { makeStagingFolder } from './stagingFolder.js';

type Moved = PlannedFile & { readonly name: BytePath };
type Written = Moved & { readonly after: FileState };

/**
 * Does what a plan says. Up to the first removal nothing was touched; from then on only names change, and what a crash
 * leaves undone is done by the next time.
 *
 * @throws {@link HuddleError} (as a rejection) `FILES_CHANGING`, `FILES_NOT_WRITTEN`.
 */
export async function carryFiles(repository: OwnRepository, files: readonly PlannedFile[]): Promise<void> {
  const progress = { isPartial: false };
  try {
    await carry(repository, files, progress);
  } catch (error) {
    if (error instanceof HuddleError) throw error;
    throw new HuddleError(
      'FILES_NOT_WRITTEN',
      { reason: fileReasonOf(error), ...progress },
      { cause: error },
    );
  }
}

async function carry(
  repository: OwnRepository,
  files: readonly PlannedFile[],
  progress: { isPartial: boolean },
): Promise<void> {
  const folder = folderOf(repository);
  refuse(files.filter(({ action }) => action === 'conflict' || action === 'not-kept'));
  const all = files.map((file) => ({ ...file, name: pathOf(file) }));
  const moved = all.filter(({ action }) => action !== 'none');
  const written = moved.filter((file): file is Written => file.after !== undefined);
  requireWritableFolders(folder.root, moved);
  const staging = makeStagingFolder(folder.root);
  try {
    const staged = await stage(repository, folder.root, staging, written);
    await requireUnchanged(folder, moved);
    progress.isPartial = true;
    for await (const { name, after } of inSlices(moved))
      if (after === undefined) removeFile(folder.root, name);
    for await (const file of inSlices(written)) place(folder.root, file, staged.get(file.name));
    for await (const { name, after } of inSlices(all))
      if (after === undefined) removeEmptyFolders(folder.root, foldersAbove(name));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function refuse(files: readonly PlannedFile[]): void {
  if (files.length > 0) throw new HuddleError('FILES_CHANGING', { paths: files.map(({ path }) => path) });
}

async function requireUnchanged(folder: LookedAtFolder, moved: readonly Moved[]): Promise<void> {
  const names = moved.map(({ name }) => name);
  const found = await lookAtPaths(folder, names);
  refuse(moved.filter(({ name, now }) => !areEqual(found.get(name)?.state, now)));
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

function removeFile(root: string, name: BytePath): void {
  requireFoldersAbove(root, name);
  unlinkSync(onDisk(root, name));
}

function place(root: string, { name, after }: Written, staged: string | undefined): void {
  makeFoldersAbove(root, name);
  const target = onDisk(root, name);
  const there = statOf(root, name);
  if (staged === undefined) {
    if (there?.isFile()) chmodSync(target, withExecutable(there.mode, after.mode));
    return;
  }
  if (there?.isDirectory()) removeEmptyTree(root, name);
  renameSync(staged, target);
}

/** Folders only: a link in the place of one leads elsewhere, and nothing is done there. */
function requireFoldersAbove(root: string, name: BytePath): void {
  for (const above of foldersAbove(name)) {
    const stats = statOf(root, above);
    if (!stats?.isDirectory()) throw new Error(`${above} is not a folder any more`);
  }
}

function makeFoldersAbove(root: string, name: BytePath): void {
  for (const above of foldersAbove(name))
    if (statOf(root, above) === undefined) mkdirSync(onDisk(root, above));
  requireFoldersAbove(root, name);
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
