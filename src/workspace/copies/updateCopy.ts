import { existsSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { FileState } from '../../models/FileChange.js';
import { type BytePath, namePath, pathOf } from '../bytePaths.js';
import { carryFiles } from '../carry/carryFiles.js';
import { areEqual } from '../carry/planCarry.js';
import { prepareCarry } from '../carry/prepareCarry.js';
import { type OwnRepository, runInOwn } from '../git/ownRepository.js';
import { readStates } from '../git/readStates.js';
import type { CarryStep, PlannedFile } from '../Workspace.js';

/** A folder, the copy of it, and the state of the folder that was last carried into the copy. */
export interface CopiedFolder {
  readonly source: OwnRepository;
  readonly copy: OwnRepository;
  /** An index. */
  readonly base: string;
}

/** A repository that is not ours to carry, as git writes its mode. */
const REPOSITORY_MODE = '160000';

/** Carries what changed in the folder into the copy. Files that both changed in the same lines stay; resolves with them. */
export async function updateCopy({ source, copy, base }: CopiedFolder): Promise<readonly string[]> {
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
