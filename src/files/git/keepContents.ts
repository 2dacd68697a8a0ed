import { appendFileSync, existsSync, lstatSync, type Stats } from 'node:fs';
import { type BytePath, fromText, toBytes } from '../paths.js';
import { looseFile, writeLoose } from './contents.js';
import { quoteLine } from './lookAtFolder.js';
import { type OwnRepository, runInOwn } from './ownRepository.js';
import { readStates } from './updateIndex.js';

/** Whether our own objects hold a content. They are never packed, so a look is enough. */
export function hasContent({ objects, keptObjects = objects }: OwnRepository, id: string): boolean {
  return isIn(keptObjects, id) || (keptObjects !== objects && isIn(objects, id));
}

/** Whether a content stays, also when this process is gone. */
export function isKeptContent({ objects, keptObjects = objects }: OwnRepository, id: string): boolean {
  return isIn(keptObjects, id);
}

function isIn(objects: string, id: string): boolean {
  return existsSync(looseFile(objects, id));
}

/**
 * Copies contents that only the user's repository has into our own: it may forget them. Those that are nowhere are passed over.
 */
export async function keepContents(
  repository: OwnRepository,
  ids: Iterable<string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (repository.user === undefined || repository.keptObjects !== undefined) return;
  const missing = [...new Set(ids)].filter((id) => !hasContent(repository, id));
  if (missing.length === 0) return;
  await runInOwn(repository, {
    args: ['cat-file', '--batch', '--buffer'],
    input: [...missing, ''].join('\n'),
    withUserObjects: true,
    signal,
    onOutput: createBatchReader((content) => writeLoose(repository, 'blob', content)),
  });
}

/** Reads files again whose contents were not kept, as far as they are still what the index says. */
export async function regainContents(repository: OwnRepository): Promise<void> {
  if (repository.keptObjects === undefined) return;
  const { index, top } = repository;
  const states = await readStates(repository, 'all', { index, signal: undefined });
  const missing = new Set(Array.from(states.values(), ({ id }) => id));
  for (const id of await findInReach(repository, [...missing], undefined)) missing.delete(id);
  const paths = [...states].filter(([, { id }]) => missing.has(id)).map(([path]) => path);
  const files = paths.filter((path) => statOnDisk(top, path)?.isFile());
  await runInOwn(repository, {
    args: ['hash-object', '-w', '--no-filters', '--stdin-paths'],
    input: files.map((path) => `${quoteLine(`${fromText(top)}/${path}`)}\n`).join(''),
  });
}

function statOnDisk(top: string, path: BytePath): Stats | undefined {
  try {
    return lstatSync(toBytes(`${fromText(top)}/${path}`), { throwIfNoEntry: false });
  } catch {
    return undefined; // Below a file or a closed folder, nothing can be seen.
  }
}

/** The contents among these that our objects or the user's hold. */
export async function findInReach(
  repository: OwnRepository,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { stdout } = await runInOwn(repository, {
    args: ['cat-file', '--batch-check=%(objectname) %(objecttype)', '--buffer'],
    input: [...ids, ''].join('\n'),
    withUserObjects: true,
    signal,
  });
  return stdout.split('\n').flatMap((line) => (line.endsWith(' blob') ? [line.slice(0, -5)] : []));
}

/** Writes down which contents a conversation needs, so that those of others can be let go. */
export function nameKept(file: string, ids: Iterable<string>): void {
  const lines = Array.from(new Set(ids), (id) => `${id}\n`).join('');
  if (lines !== '') appendFileSync(file, lines, { mode: 0o600 });
}

const LINE_FEED = 10;

/**
 * Takes apart the output of `cat-file --batch` as it comes: for each object a line `id kind length`, its content and a line
 * feed; for one that is nowhere a line that says so. Hands on every content when it is whole.
 */
export function createBatchReader(onContent: (content: Buffer) => void): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let length = 0;
  /** Bytes that must be there before anything can be told. */
  let needed = 1;
  return (chunk) => {
    pending.push(chunk);
    length += chunk.length;
    if (length < needed) return;
    let bytes = pending.length === 1 ? chunk : Buffer.concat(pending);
    for (;;) {
      const end = bytes.indexOf(LINE_FEED);
      if (end === -1) {
        needed = bytes.length + 1;
        break;
      }
      const [, kind, size] = bytes.toString('latin1', 0, end).split(' ');
      const isMissing = size === undefined;
      const start = end + 1;
      const next = isMissing ? start : start + Number(size) + 1;
      if (bytes.length < next) {
        needed = next;
        break;
      }
      if (!isMissing && kind === 'blob') onContent(bytes.subarray(start, next - 1));
      bytes = bytes.subarray(next);
    }
    pending = [bytes];
    length = bytes.length;
  };
}
