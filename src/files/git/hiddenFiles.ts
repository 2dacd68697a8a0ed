import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BytePath, fromText, toBytes, toText } from '../paths.js';
import { isKeptContent } from './keepContents.js';
import { modeOf, quoteLine, unknownId } from './lookAtFolder.js';
import { limitTo, type OwnRepository, runInOwn } from './ownRepository.js';
import { splitAtNull } from './readIndex.js';
import type { ByteChange } from './recordFolder.js';

interface HiddenOptions {
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Most hidden files that are named; a build folder may hold any number. */
const MOST_HIDDEN = 1000;

/**
 * New files that nobody would see, because the ignore rules that hide them are as new: those of the last known state, which is
 * not settled yet, would have shown them.
 */
export async function findHiddenFiles(
  repository: OwnRepository,
  changes: readonly ByteChange[],
  { maxFileBytes, signal }: HiddenOptions,
): Promise<ByteChange[]> {
  if (!changes.some(({ path }) => isIgnoreFile(path))) return [];
  const ignored = await list(
    repository,
    ['--others', '--ignored', '--exclude-standard', '--directory'],
    signal,
  );
  const old = await findIgnoredBefore(repository, ignored, signal);
  const hidden: BytePath[] = [];
  for (const path of ignored.filter((one) => !old.has(one))) {
    if (!path.endsWith('/')) hidden.push(path);
    else hidden.push(...(await listBelow(repository, path, signal)));
    if (hidden.length > MOST_HIDDEN) break;
  }
  return describeHidden(repository, hidden.slice(0, MOST_HIDDEN), { maxFileBytes, signal });
}

function isIgnoreFile(path: BytePath): boolean {
  return /(?:^|\/)\.gitignore$/u.test(path);
}

async function list(
  repository: OwnRepository,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { stdout } = await runInOwn(repository, {
    args: ['ls-files', '-z', ...args, ...limitTo(repository)],
    signal,
  });
  return splitAtNull(stdout);
}

async function listBelow(
  repository: OwnRepository,
  folder: BytePath,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const args = ['ls-files', '-z', '--others', '--', toText(folder.slice(0, -1))];
  return splitAtNull((await runInOwn(repository, { args, signal })).stdout).filter(
    (path) => !path.endsWith('/'),
  );
}

/** Asks the ignore rules of the last known state, in a folder that holds nothing else. */
async function findIgnoredBefore(
  repository: OwnRepository,
  paths: readonly BytePath[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<BytePath>> {
  const workTree = mkdtempSync(join(tmpdir(), 'huddle-rules-'));
  try {
    const rules = (await list(repository, ['--cached'], signal)).filter(isIgnoreFile);
    await runInOwn(repository, {
      args: ['checkout-index', '-z', '-f', '-q', '--stdin'],
      input: rules.map((path) => `${path}\0`).join(''),
      withUserObjects: true,
      workTree,
      signal,
    });
    // A folder is asked for by something in it, since it is not there; and no name is an instruction.
    const asked = new Map(paths.map((path) => [`./${path}${path.endsWith('/') ? 'x' : ''}`, path]));
    const { stdout } = await runInOwn(repository, {
      args: ['check-ignore', '-z', '--stdin', '--no-index', '--verbose', '--non-matching'],
      input: Array.from(asked.keys(), (path) => `${path}\0`).join(''),
      workTree,
      env: { GIT_LITERAL_PATHSPECS: '0' },
      mayFail: true,
      signal,
    });
    const fields = splitAtNull(stdout);
    const ignored = new Set<BytePath>();
    // File of the rule, its line, the rule, the path; a rule that begins with `!` takes it back.
    for (let index = 0; index + 3 < fields.length; index += 4) {
      const rule = fields[index + 2] ?? '';
      const path = asked.get(fields[index + 3] ?? '');
      if (path !== undefined && rule !== '' && !rule.startsWith('!')) ignored.add(path);
    }
    return ignored;
  } finally {
    rmSync(workTree, { recursive: true, force: true });
  }
}

async function describeHidden(
  repository: OwnRepository,
  paths: readonly BytePath[],
  { maxFileBytes, signal }: HiddenOptions,
): Promise<ByteChange[]> {
  const { top } = repository;
  const files = paths.flatMap((path) => {
    const absolute = `${fromText(top)}/${path}`;
    const stats = lstatSync(toBytes(absolute), { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() || stats?.isSymbolicLink() ? [{ path, absolute, stats }] : [];
  });
  const kept = files.filter(({ stats }) => stats.isFile() && stats.size <= maxFileBytes);
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
  const input = kept.map(({ absolute }) => `${quoteLine(absolute)}\n`).join('');
  const output = input === '' ? '' : (await runInOwn(repository, { args, input, signal })).stdout;
  const ids = output.split('\n');
  const idOf = new Map(kept.map(({ path }, index) => [path, ids[index] ?? '']));
  return files.map(({ path, stats }) => {
    const id = idOf.get(path);
    const after = { mode: modeOf(stats), id: id ?? unknownId(repository) };
    const isKept = id !== undefined && isKeptContent(repository, id);
    return { path, after, ...(!isKept && { isKept }) };
  });
}
