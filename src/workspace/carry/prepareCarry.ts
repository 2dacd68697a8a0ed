import { InvalidOptionError } from '../../models/errors.js';
import type { FileState } from '../../models/FileChange.js';
import { isPathInside } from '../../models/filePaths.js';
import { type BytePath, pathOf } from '../bytePaths.js';
import { isContentThere, mergeContents } from '../git/contents.js';
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
  return [...(await planCarry(byPath, found, contentsOf(repository, found))).values()];
}

/** The step on a file system that does not know which files are executable: none is. */
function withoutExecutable({ from, to, ...step }: CarryStep): CarryStep {
  const plain = (state: FileState | undefined): FileState | undefined =>
    state?.mode === EXECUTABLE_MODE ? { ...state, mode: FILE_MODE } : state;
  return { ...step, from: plain(from), to: plain(to) };
}

function contentsOf(repository: OwnRepository, found: ReadonlyMap<BytePath, FoundPath>): KeptContents {
  return {
    has: (id) => isContentThere(repository, id),
    merge(path, { base, ours, theirs }) {
      const isOnDisk = found.get(path)?.state?.id === ours;
      const file = onDisk(folderOf(repository).root, path);
      return mergeContents(repository, { base, ours: isOnDisk ? { file } : ours, theirs });
    },
  };
}
