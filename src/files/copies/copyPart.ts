import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileState } from '../../models/FileChange.js';
import { carryFiles } from '../carry/carryFiles.js';
import { areEqual } from '../carry/planCarry.js';
import { prepareCarry } from '../carry/prepareCarry.js';
import { adoptIndex, type FolderPart, type PartPlace } from '../git/FolderPart.js';
import { regainContents } from '../git/keepContents.js';
import { makeOwnRepository, type OwnRepository, runInOwn } from '../git/ownRepository.js';
import { readStates } from '../git/updateIndex.js';
import { type BytePath, namePath, pathOf, toText } from '../paths.js';
import type { CarryStep, PlannedFile } from '../Workspace.js';
import { type CopiedRepository, followStand, writeCopyRepository } from './copyRepository.js';
import { copyUnrecordedFiles, listUnrecordedFiles } from './copyUnrecordedFiles.js';

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
    if (areEqual(from, to) || from?.mode === REPOSITORY_MODE || to?.mode === REPOSITORY_MODE) return [];
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
