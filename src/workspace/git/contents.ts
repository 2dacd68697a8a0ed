import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { makeStagingFolder } from '../carry/stagingFolder.js';
import { isLooseContent, readLooseContent, writeLoose } from './looseObjects.js';
import { type OwnRepository, runInOwn } from './ownRepository.js';
import { GitError } from './runGit.js';

/** A place of bytes: kept under this id, or in a file. */
export type ContentSource = string | { readonly file: Buffer };

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
