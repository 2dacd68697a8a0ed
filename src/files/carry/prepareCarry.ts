import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { InvalidOptionError } from '../../models/errors.js';
import type { FileState } from '../../models/FileChange.js';
import { isPathInside } from '../../models/filePaths.js';
import { isLooseContent, readLooseContent, writeLoose } from '../git/contents.js';
import { type OwnRepository, runInOwn } from '../git/ownRepository.js';
import { GitError } from '../git/runGit.js';
import { type BytePath, onDisk, pathOf } from '../paths.js';
import type { CarryStep, PlannedFile } from '../Workspace.js';
import { folderOf, lookAtPaths } from './lookAtPaths.js';
import { EXECUTABLE_MODE, FILE_MODE, type FoundPath, type KeptContents, planCarry } from './planCarry.js';
import { makeStagingFolder } from './stagingFolder.js';

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

/** A place of bytes: kept under this id, or in a file. */
type ContentSource = string | { readonly file: Buffer };

/** Whether a content can be read: kept, or not to be kept but still there. */
export function isContentThere(repository: OwnRepository, id: string): boolean {
  return placesOf(repository).some((objects) => isLooseContent(objects, id));
}

/** Reads a content that is there. */
export async function readContent(repository: OwnRepository, id: string): Promise<Buffer> {
  const objects = placesOf(repository).find((place) => isLooseContent(place, id)) ?? repository.objects;
  return readLooseContent({ objects, format: repository.format }, id);
}

function placesOf({ objects, keptObjects }: OwnRepository): readonly string[] {
  return keptObjects === undefined ? [objects] : [objects, keptObjects];
}

/** Three contents of a file: the one that both sides changed, and both sides. */
interface ThreeSources {
  readonly base: ContentSource;
  readonly ours: ContentSource;
  readonly theirs: ContentSource;
}

/** Merges two changes of a text, and keeps the result. None: they touch the same lines, or it is no text. */
async function mergeContents(
  repository: OwnRepository,
  { base, ours, theirs }: ThreeSources,
): Promise<string | undefined> {
  const folder = makeStagingFolder(repository.gitFolder);
  try {
    const files = [];
    for (const [name, source] of Object.entries({ ours, base, theirs })) {
      const content = await readSource(repository, source);
      if (content === undefined) return undefined;
      files.push(join(folder, name));
      await writeFile(join(folder, name), content, { mode: 0o600 });
    }
    const merged = await runInOwn(repository, { args: ['merge-file', '-p', '-q', ...files] });
    return writeLoose(repository, 'blob', Buffer.from(merged.stdout, 'latin1'));
  } catch (error) {
    // Its exit code is the number of conflicts; and it says so if it is no text.
    if (error instanceof GitError && error.reason === 'failed') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readSource(repository: OwnRepository, source: ContentSource): Promise<Buffer | undefined> {
  if (typeof source !== 'string') return buffer(createReadStream(source.file));
  return isContentThere(repository, source) ? readContent(repository, source) : undefined;
}
