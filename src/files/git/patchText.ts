import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileState } from '../../models/FileChange.js';
import { isSecretPath } from '../../utils/isSecretPath.js';
import { type BytePath, isText, type ObjectFormat } from '../paths.js';
import type { PatchText } from '../Workspace.js';
import { writeLoose } from './contents.js';
import { findInReach, hasContent } from './keepContents.js';
import { listPaths, type OwnRepository, runInOwn, userObjects } from './ownRepository.js';
import type { ByteChange } from './recordFolder.js';

/** Lines added and removed; `undefined` for a file that is not text. */
export type LineCounts = { readonly added: number; readonly removed: number } | undefined;

export interface CountedPatch extends PatchText {
  /** Counts of each file that has lines here. */
  readonly counts: ReadonlyMap<BytePath, LineCounts>;
}

interface PatchTextOptions {
  readonly maxBytes?: number | undefined;
  readonly withBinary?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MOST_BYTES = 256 * 1024;
/** Room for two numbers and what separates them. */
const COUNT_BYTES = 40;

/** The lines of changes as git writes them, without those of files that are named like secrets. */
export async function makePatchText(
  repository: OwnRepository,
  changes: readonly ByteChange[],
  { maxBytes = MOST_BYTES, withBinary = false, signal }: PatchTextOptions = {},
): Promise<CountedPatch> {
  // Where nothing is kept, what was only just seen is still in reach.
  const isInReach = (isKept: false | undefined) => isKept !== false || repository.keptObjects !== undefined;
  const open = changes.filter(({ path, isKept }) => isInReach(isKept) && !isSecretPath(path));
  const shown = await withoutMissing(repository, open, signal);
  if (shown.length === 0) return { patch: '', isCut: false, counts: new Map() };
  const trees = mkdtempSync(join(tmpdir(), 'huddle-trees-'));
  try {
    const [before, after] = (['before', 'after'] as const).map((side) => {
      const files = shown.flatMap((change): [BytePath, FileState][] => {
        const state = change[side];
        return state === undefined ? [] : [[change.path, state]];
      });
      return writeTree(files, trees, repository.format);
    });
    const { objects, keptObjects, user } = repository;
    const places = [objects, keptObjects, user && userObjects(user)].filter((place) => place !== undefined);
    const names = shown.every(({ path }) => isText(path)) ? 'false' : 'true';
    const { stdout, isCut } = await runInOwn(repository, {
      args: [
        ...['-c', `core.quotePath=${names}`, 'diff-tree', '-r', '-p', '-M', '--no-ext-diff', '--no-textconv'],
        ...['--numstat', '-z', '--no-color', ...(withBinary ? ['--binary'] : []), before ?? '', after ?? ''],
      ],
      // The counts come first.
      maxBytes: maxBytes + shown.reduce((sum, { path }) => sum + 2 * path.length + COUNT_BYTES, 0),
      env: { GIT_OBJECT_DIRECTORY: trees, GIT_ALTERNATE_OBJECT_DIRECTORIES: listPaths(places) },
      signal,
    });
    return readPatch(stdout, maxBytes, isCut);
  } finally {
    rmSync(trees, { recursive: true, force: true });
  }
}

/** Leaves out changes with a content that was let go, or never was on this machine. */
async function withoutMissing(
  repository: OwnRepository,
  changes: readonly ByteChange[],
  signal: AbortSignal | undefined,
): Promise<readonly ByteChange[]> {
  const idsOf = ({ before, after }: ByteChange) => [before, after].flatMap((state) => state?.id ?? []);
  const missing = new Set(changes.flatMap(idsOf).filter((id) => !hasContent(repository, id)));
  if (missing.size === 0) return changes;
  for (const id of await findInReach(repository, [...missing], signal)) missing.delete(id);
  return changes.filter((change) => !idsOf(change).some((id) => missing.has(id)));
}

/** A file that got another name has its lines under the new one. */
const NO_LINES = { added: 0, removed: 0 };

/** `added TAB removed TAB path`, or for a file that got another name: no path, and two after it. */
const COUNTS = /(\d+|-)\t(\d+|-)\t(?:([^\0]+)\0|\0([^\0]+)\0([^\0]+)\0)/uy;

/** Takes apart `--numstat -z` and the patch that follows it after a zero byte. */
function readPatch(output: string, maxBytes: number, wasCut: boolean): CountedPatch {
  const counts = new Map<BytePath, LineCounts>();
  COUNTS.lastIndex = 0;
  let end = 0;
  for (let found = COUNTS.exec(output); found !== null; found = COUNTS.exec(output)) {
    const [, added, removed, path, from, to] = found;
    end = COUNTS.lastIndex;
    const isRenamed = path === undefined;
    const lines = added === '-' ? undefined : { added: Number(added), removed: Number(removed) };
    if (!isRenamed) counts.set(path, lines);
    else if (from !== undefined && to !== undefined) counts.set(to, lines).set(from, lines && NO_LINES);
  }
  const patch = output.slice(output[end] === '\0' ? end + 1 : end);
  const cut = patch.length > maxBytes || wasCut ? cutPatch(patch, maxBytes) : patch;
  return { patch: Buffer.from(cut, 'latin1').toString('utf8'), isCut: cut !== patch || wasCut, counts };
}

/** Cuts at the end of a file, or of a line where one file is longer than everything allowed. */
function cutPatch(patch: string, maxBytes: number): string {
  const head = patch.slice(0, maxBytes);
  const file = head.lastIndexOf('\ndiff --git ');
  return head.slice(0, (file > 0 ? file : head.lastIndexOf('\n')) + 1);
}

/**
 * Writes a tree that holds these files, as a loose object, into a folder, and tells its id. It is flat, with whole paths as
 * names: all that is ever done with it is to compare it with another, and a tree for each folder would cost ten times as much.
 */
function writeTree(
  files: readonly (readonly [BytePath, FileState])[],
  objects: string,
  format: ObjectFormat,
): string {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  const body = Buffer.concat(
    sorted.flatMap(([path, { mode, id }]) => [
      Buffer.from(`${mode} ${path}\0`, 'latin1'),
      Buffer.from(id, 'hex'),
    ]),
  );
  return writeLoose({ objects, format }, 'tree', body);
}
