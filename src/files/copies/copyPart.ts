import { constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileState } from '../../models/FileChange.js';
import { carryFiles } from '../carry/carryFiles.js';
import { statOf } from '../carry/lookAtPaths.js';
import { prepareCarry } from '../carry/prepareCarry.js';
import { isSameState } from '../changes/fileHistory.js';
import { adoptIndex, type FolderPart, type PartPlace } from '../git/FolderPart.js';
import { regainContents } from '../git/keepContents.js';
import { makeOwnRepository, type OwnRepository, runInOwn } from '../git/ownRepository.js';
import { splitAtNull } from '../git/readIndex.js';
import { readStates } from '../git/updateIndex.js';
import {
  type BytePath,
  foldersAbove,
  fromText,
  namePath,
  onDisk,
  pathBelow,
  pathOf,
  toBytes,
  toText,
} from '../paths.js';
import type { CarryStep, PlannedFile } from '../Workspace.js';
import { type CopiedRepository, followStand, writeCopyRepository } from './copyRepository.js';

/** A repository of the folder, and the copy that it is to be in. */
export interface CopiedPart {
  readonly source: FolderPart;
  readonly place: PartPlace;
  /** Top of the copy. */
  readonly top: string;
  /** The folder in it that stands for the working folder. */
  readonly folder: string;
}

interface MadePart {
  /** Branches and checked out commit that it has. */
  readonly stand: string;
  /** Number of files that no index has. */
  readonly unrecorded: number;
  /** Whether its files are those of the folder; else those that were last recorded in the copy, which may be behind. */
  readonly isCurrent: boolean;
}

/** Makes a repository of the folder anew in a copy: with its files as they were last recorded there, or in the folder. */
export async function makePart({ source, place, top, folder }: CopiedPart): Promise<MadePart> {
  const { base, repository } = source;
  const partFolder = join(folder, toText(base.slice(0, -1)));
  const partTop = base === '' ? top : partFolder;
  await mkdir(partFolder, { recursive: true });
  const user = describeUser(place, repository);
  const stand = user && (await writeCopyRepository(user, partTop));
  const copy = ownRepositoryOf(place, repository, { folder: partFolder, top: partTop });
  const [isCurrent, paths] = await Promise.all([
    checkOut(repository, copy, partTop),
    listUnrecordedFiles(repository),
  ]);
  const { dataFolder } = place;
  const unrecorded = await copyUnrecordedFiles(paths, { source: repository, copy: partTop, dataFolder });
  return { stand: stand ?? '', unrecorded, isCurrent };
}

/** Our repository of a part that was just made: what git would say of it is known. */
function ownRepositoryOf(
  place: PartPlace,
  { user }: OwnRepository,
  made: { readonly folder: string; readonly top: string },
): OwnRepository {
  const [folder, top] = [realpathSync.native(made.folder), realpathSync.native(made.top)];
  const gitFolder = join(top, '.git');
  const own = user && { top, gitFolder, commonFolder: gitFolder, format: user.format };
  return makeOwnRepository({ ...place, folder, user: own });
}

/** Tells whether the files are those of the folder. */
async function checkOut(source: OwnRepository, copy: OwnRepository, top: string): Promise<boolean> {
  const isCurrent = !existsSync(copy.index) || !existsSync(baseOf(copy));
  if (isCurrent)
    for (const index of [copy.index, baseOf(copy)])
      if (existsSync(source.index)) await copyFile(source.index, index);
  await regainContents(source);
  await runInOwn(source, {
    args: ['checkout-index', '-a', '-f', '-u', '-q'],
    index: copy.index,
    workTree: top,
    withUserObjects: true,
  });
  adoptIndex(copy.index);
  return isCurrent;
}

interface UpdatedPart {
  /** Paths in the working folder. */
  readonly behind: readonly string[];
  readonly stand: string;
}

/** Brings a repository in a copy up to date with that of the folder. */
export async function updatePart(
  { source, place }: Pick<CopiedPart, 'source' | 'place'>,
  { repository: copy }: FolderPart,
  given: string,
): Promise<UpdatedPart> {
  const { base, repository } = source;
  const paths = await updateCopy({ source: repository, copy, base: baseOf(copy) });
  const behind = paths.map((path) => toText(base) + path);
  const [from, to] = [describeUser(place, repository), describeUser(place, copy)];
  const stand = from && to ? await followStand(from, to, given) : given;
  return { behind, stand };
}

function describeUser(
  { git, globalConfig }: PartPlace,
  { user }: OwnRepository,
): CopiedRepository | undefined {
  return user && { git, user, globalConfig };
}

/** State of the folder that was last carried into a copy. */
function baseOf({ index }: OwnRepository): string {
  return `${index}.base`;
}

/** A folder, the copy of it, and the state of the folder that was last carried into the copy. */
interface CopiedFolder {
  readonly source: OwnRepository;
  readonly copy: OwnRepository;
  /** An index. */
  readonly base: string;
}

/** A repository that is not ours to carry, as git writes its mode. */
const REPOSITORY_MODE = '160000';

/** Carries what changed in the folder into the copy. Files that both changed in the same lines stay; resolves with them. */
async function updateCopy({ source, copy, base }: CopiedFolder): Promise<readonly string[]> {
  const steps = await findSteps(source, base);
  if (steps.length === 0) return [];
  const planned = await prepareCarry(copy, steps);
  const isFeasible = ({ action }: PlannedFile): boolean => action !== 'conflict' && action !== 'not-kept';
  const { left, failure } = await carryFiles(copy, planned.filter(isFeasible));
  if (failure !== undefined) throw failure;
  const leftPaths = new Set(left.map(pathOf));
  const isCarried = (file: PlannedFile): boolean => isFeasible(file) && !leftPaths.has(pathOf(file));
  const carried = planned.filter(isCarried);
  const behind = planned.filter((file) => !isCarried(file));
  await setStates(copy, copy.index, new Map(carried.map((file) => [pathOf(file), file.after])));
  await copyFile(source.index, base);
  const before = new Map(steps.map((step) => [pathOf(step), step.from]));
  await setStates(source, base, new Map(behind.map(pathOf).map((path) => [path, before.get(path)])));
  return behind.map(({ path }) => path);
}

async function findSteps(source: OwnRepository, base: string): Promise<readonly CarryStep[]> {
  // As it mostly is: nothing was recorded in the folder since.
  if (haveSameBytes(base, source.index)) return [];
  const [before, now] = await Promise.all([statesIn(source, base), statesIn(source, source.index)]);
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].flatMap((path) => {
    const [from, to] = [before.get(path), now.get(path)];
    if (isSameState(from, to) || from?.mode === REPOSITORY_MODE || to?.mode === REPOSITORY_MODE) return [];
    return [{ ...namePath(path), from, to }];
  });
}

/** Not so if one is missing: there is none for a folder without files. */
function haveSameBytes(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

/** States by their paths from the working folder. */
async function statesIn(repository: OwnRepository, index: string): Promise<ReadonlyMap<BytePath, FileState>> {
  const { prefix } = repository;
  const states = [...(await readStates(repository, 'all', { index, signal: undefined }))];
  return new Map(states.map(([path, state]) => [path.slice(prefix.length), state]));
}

/** Writes states into an index; absent: not there. */
async function setStates(
  repository: OwnRepository,
  index: string,
  states: ReadonlyMap<BytePath, FileState | undefined>,
): Promise<void> {
  if (states.size === 0) return;
  const { prefix, format } = repository;
  const none = '0'.repeat(format === 'sha1' ? 40 : 64);
  const gone = [...states].filter(([, state]) => state === undefined);
  const there = [...states].filter(([, state]) => state !== undefined);
  const lines = [...gone, ...there].map(
    ([path, state]) => `${state?.mode ?? '0'} ${state?.id ?? none}\t${prefix}${path}\0`,
  );
  const args = ['update-index', '-z', '--replace', '--index-info'];
  await runInOwn(repository, { args, input: lines.join(''), index });
}

/** File that names ignored files which a copy needs all the same; the convention of several agents. */
const INCLUDE_FILE = '.worktreeinclude';

export interface UnrecordedPlaces {
  /** The folder that is copied. */
  readonly source: OwnRepository;
  /** Top of the copy. */
  readonly copy: string;
  readonly dataFolder: string;
}

/** Lists files that no index has: those that were too large to keep, and ignored ones that the folder's `.worktreeinclude` names. */
export async function listUnrecordedFiles(source: OwnRepository): Promise<readonly BytePath[]> {
  const { top } = source;
  const hasIncludes = statOf(top, INCLUDE_FILE)?.isFile() === true;
  const included = ['--ignored', `--exclude-from=${join(top, INCLUDE_FILE)}`];
  const lists = [['--exclude-standard'], ...(hasIncludes ? [included] : [])];
  return (await Promise.all(lists.map((options) => listOthers(source, options)))).flat();
}

/** Copies such files. Nothing in the copy leads back into the folder. Resolves with the number of those that it needed. */
export async function copyUnrecordedFiles(
  paths: readonly BytePath[],
  { source, copy, dataFolder }: UnrecordedPlaces,
): Promise<number> {
  const { top } = source;
  const own = pathBelow(top, dataFolder);
  const isOwn = (path: BytePath): boolean => own !== undefined && path.startsWith(`${fromText(own)}/`);
  let copied = 0;
  for (const path of paths) {
    // A repository nested in the folder is named with a slash at its end.
    if (path.endsWith('/') || isOwn(path) || statOf(copy, path) !== undefined) continue;
    for (const above of foldersAbove(path)) await mkdir(onDisk(copy, above)).catch(ignoreExisting);
    await copyEntry(top, copy, path);
    copied += 1;
  }
  return copied;
}

async function listOthers(source: OwnRepository, options: readonly string[]): Promise<readonly BytePath[]> {
  const { stdout } = await runInOwn(source, { args: ['ls-files', '-z', '--others', ...options] });
  return splitAtNull(stdout);
}

async function copyEntry(top: string, copy: string, path: BytePath): Promise<void> {
  const [from, to] = [onDisk(top, path), onDisk(copy, path)];
  const stats = statOf(top, path);
  if (stats?.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
  if (!stats?.isSymbolicLink()) return;
  const target = (await readlink(from, { encoding: 'buffer' })).toString('latin1');
  const inside = fromText(`${top}/`);
  const isInside = target.startsWith(inside);
  await symlink(toBytes(isInside ? `${fromText(copy)}/${target.slice(inside.length)}` : target), to);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
