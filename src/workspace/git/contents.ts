import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { makeStagingFolder } from '../carry/stagingFolder.js';
import { type OwnRepository, runInOwn } from './ownRepository.js';
import { GitError } from './runGit.js';

/** Bytes of contents that are held in memory at once. */
const MOST_AT_ONCE = 32 * 1024 * 1024;

/** A place of bytes: kept under this id, or in a file. */
export type ContentSource = string | { readonly file: Buffer };

/** Sizes of the contents among these that are kept. */
export async function readSizes(
  repository: OwnRepository,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return new Map();
  const { stdout } = await runInOwn(repository, {
    args: ['cat-file', '--batch-check', '--buffer'],
    input: asked.map((id) => `${id}\n`).join(''),
  });
  const found = stdout.matchAll(/^([0-9a-f]+) blob (\d+)$/gmu);
  return new Map(Array.from(found, ([, id = '', size]) => [id, Number(size)]));
}

/** Reads kept contents, some at a time. */
export async function* readContents(
  repository: OwnRepository,
  sizes: ReadonlyMap<string, number>,
): AsyncGenerator<readonly [id: string, content: Buffer]> {
  for (const batch of inBatches([...sizes])) {
    const { stdout } = await runInOwn(repository, {
      args: ['cat-file', '--batch', '--buffer'],
      input: batch.map(([id]) => `${id}\n`).join(''),
    });
    let at = 0;
    for (const [id, size] of batch) {
      const start = stdout.indexOf('\n', at) + 1;
      yield [id, Buffer.from(stdout.slice(start, start + size), 'latin1')];
      at = start + size + 1;
    }
  }
}

function inBatches(
  contents: ReadonlyArray<readonly [string, number]>,
): Array<Array<readonly [string, number]>> {
  const batches: Array<Array<readonly [string, number]>> = [];
  let room = 0;
  for (const content of contents) {
    room -= content[1];
    if (room < 0 || batches.length === 0) {
      batches.push([]);
      room = MOST_AT_ONCE - content[1];
    }
    batches.at(-1)?.push(content);
  }
  return batches;
}

/** Three contents of a file: the one that both sides changed, and both sides. */
export interface ThreeSources {
  readonly base: ContentSource;
  readonly ours: ContentSource;
  readonly theirs: ContentSource;
}

/** Merges two changes of a text, and keeps the result. None: they touch the same lines, or it is no text. */
export async function mergeContents(
  repository: OwnRepository,
  { base, ours, theirs }: ThreeSources,
): Promise<string | undefined> {
  const folder = await makeStagingFolder(repository.gitFolder);
  try {
    const files = [];
    for (const [name, source] of Object.entries({ ours, base, theirs })) {
      const content = await readSource(repository, source);
      if (content === undefined) return undefined;
      files.push(join(folder, name));
      await writeFile(join(folder, name), content, { mode: 0o600 });
    }
    const merged = await runInOwn(repository, { args: ['merge-file', '-p', '-q', ...files] });
    return await keepContent(repository, merged.stdout);
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
  const sizes = await readSizes(repository, [source]);
  for await (const [, content] of readContents(repository, sizes)) return content;
  return undefined;
}

async function keepContent(repository: OwnRepository, content: string): Promise<string> {
  const { stdout } = await runInOwn(repository, { args: ['hash-object', '-w', '--stdin'], input: content });
  return stdout.trim();
}
