import { InvalidOptionError } from '../../models/errors.js';
import type { FileState } from '../../models/FileChange.js';
import { isPathInside } from '../../models/filePaths.js';
import { type BytePath, pathOf } from '../bytePaths.js';
import { mergeContents, readSizes } from '../git/contents.js';
import type { OwnRepository } from '../git/ownRepository.js';
import type { CarryStep, PlannedFile } from '../Workspace.js';
import { folderOf, lookAtPaths } from './lookAtPaths.js';
import { onDisk } from './pathsOnDisk.js';
import { EXECUTABLE_MODE, FILE_MODE, type FoundPath, type KeptContents, planCarry } from './planCarry.js';

/** Looks at the folder and works out what taking these steps would do. Only merged contents are written, among our own. */
export async function prepareCarry(
  repository: OwnRepository,
  wanted: readonly CarryStep[],
): Promise<readonly PlannedFile[]> {
  const folder = folderOf(repository);
  const steps = folder.hasFileMode ? wanted : wanted.map(withoutExecutable);
  const byPath = new Map<BytePath, CarryStep[]>();
  for (const step of steps) {
    const path = pathOf(step);
    if (!isPathInside(path)) throw new InvalidOptionError('path', step.path, 'inside the folder');
    byPath.set(path, [...(byPath.get(path) ?? []), step]);
  }
  const found = await lookAtPaths(folder, byPath.keys());
  const contents = await findContents(repository, steps, found);
  return [...(await planCarry(byPath, found, contents)).values()];
}

/** The step on a file system that does not know which files are executable: none is. */
function withoutExecutable({ from, to, ...step }: CarryStep): CarryStep {
  const plain = (state: FileState | undefined): FileState | undefined =>
    state?.mode === EXECUTABLE_MODE ? { ...state, mode: FILE_MODE } : state;
  return { ...step, from: plain(from), to: plain(to) };
}

async function findContents(
  repository: OwnRepository,
  steps: readonly CarryStep[],
  found: ReadonlyMap<BytePath, FoundPath>,
): Promise<KeptContents> {
  const named = steps.flatMap(({ from, to }) => [from, to]).filter((state) => state !== undefined);
  const sizes = await readSizes(
    repository,
    named.map(({ id }) => id),
  );
  const merged = new Set<string>();
  return {
    has: (id) => sizes.has(id) || merged.has(id),
    async merge(path, { base, ours, theirs }) {
      const isOnDisk = found.get(path)?.state?.id === ours;
      const file = onDisk(folderOf(repository).root, path);
      const id = await mergeContents(repository, { base, ours: isOnDisk ? { file } : ours, theirs });
      if (id !== undefined) merged.add(id);
      return id;
    },
  };
}
