import { copyFile } from 'node:fs/promises';
import type { FileState } from '../../models/FileChange.js';
import { type BytePath, namePath, pathOf } from '../bytePaths.js';
import { carryFiles } from '../carry/carryFiles.js';
import { areEqual } from '../carry/planCarry.js';
import { prepareCarry } from '../carry/prepareCarry.js';
import { type OwnRepository, runInOwn } from '../git/ownRepository.js';
import { readStages } from '../git/readRaw.js';
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
  const isBehind = ({ action }: PlannedFile): boolean => action === 'conflict' || action === 'not-kept';
  const carried = planned.filter((file) => !isBehind(file));
  const behind = planned.filter(isBehind);
  await carryFiles(copy, carried);
  await setStates(copy, copy.index, new Map(carried.map((file) => [pathOf(file), file.after])));
  await copyFile(source.index, base);
  const before = new Map(steps.map((step) => [pathOf(step), step.from]));
  await setStates(source, base, new Map(behind.map(pathOf).map((path) => [path, before.get(path)])));
  return behind.map(({ path }) => path);
}

async function findSteps(source: OwnRepository, base: string): Promise<readonly CarryStep[]> {
  const [before, now] = await Promise.all([readIndex(source, base), readIndex(source, source.index)]);
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].flatMap((path) => {
    const [from, to] = [before.get(path), now.get(path)];
    if (areEqual(from, to) || from?.mode === REPOSITORY_MODE || to?.mode === REPOSITORY_MODE) return [];
    return [{ ...namePath(path), from, to }];
  });
}

/** States by their paths from the working folder. */
async function readIndex(
  repository: OwnRepository,
  index: string,
): Promise<ReadonlyMap<BytePath, FileState>> {
  const { prefix } = repository;
  const { stdout } = await runInOwn(repository, { args: ['ls-files', '-s', '-z'], index });
  const states = [...readStages(stdout)].filter(([path]) => path.startsWith(prefix));
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
