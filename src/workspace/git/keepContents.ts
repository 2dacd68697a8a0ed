import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type OwnRepository, runInOwn } from './ownRepository.js';

/** Whether our own objects hold a content. They are never packed, so a look is enough. */
export function hasContent({ objects }: OwnRepository, id: string): boolean {
  return existsSync(join(objects, id.slice(0, 2), id.slice(2)));
}

/**
 * Copies contents that only the user's repository has into our own: it may forget them. Those that are nowhere are passed over.
 */
export async function keepContents(
  repository: OwnRepository,
  ids: Iterable<string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !hasContent(repository, id));
  if (missing.length === 0 || repository.user === undefined) return;
  const found = await findInReach(repository, missing, signal);
  if (found.length === 0) return;
  const pack = await runInOwn(repository, {
    args: ['pack-objects', '--stdout', '-q', '--no-reuse-delta', '--window=0'],
    input: [...found, ''].join('\n'),
    withUserObjects: true,
    signal,
  });
  await runInOwn(repository, { args: ['unpack-objects', '-q'], input: pack.stdout, signal });
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
