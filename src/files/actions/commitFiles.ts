import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HuddleError } from '../../models/errors.js';
import type { FileChange } from '../../models/FileChange.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type FileHistory, type FileUnit, joinChanges, keyOf } from '../changes/fileHistory.js';
import type { FileChoice } from '../changes/fileSteps.js';
import {
  createFileFilter,
  requireChanged,
  requireListed,
  requireRecordedHere,
  selectNewest,
  selectUnits,
} from '../changes/selectUnits.js';
import { type BytePath, pathOf } from '../paths.js';

/** Something to commit with the user's own git. */
export interface CommitRequest {
  /** Absolute path of git. */
  readonly git: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Paths are relative to the folder. */
  readonly files: readonly FileChange[];
  /** Absent: the user's editor opens with the subject. */
  readonly message?: string | undefined;
  readonly subject: string;
  readonly trailers: readonly string[];
}

/**
 * Commits exactly these files, with the configuration, hooks and signing of the user: the one place that writes the user's
 * repository. What else is staged stays so. Resolves with the exit code of git, which has said the rest, or with `nothing` when
 * all of them are committed already.
 */
export async function commitFiles(request: CommitRequest): Promise<number | 'nothing'> {
  const lists = await mkdtemp(join(tmpdir(), 'huddle-commit-'));
  try {
    const { committed, added } = await findCommitted(request);
    if (added.length === 0 && !(await hasNews(request, committed))) return 'nothing';
    const newFiles = await writeList(join(lists, 'new'), added);
    const code = added.length === 0 ? 0 : await show(request, ['add', '--intent-to-add', ...newFiles]);
    if (code !== 0) return code;
    const committing = await show(request, [
      ...['commit', '--only', ...(await writeList(join(lists, 'all'), committed))],
      ...request.trailers.flatMap((trailer) => ['--trailer', trailer]),
      ...(request.message === undefined ? ['--edit', '-m', request.subject] : ['-m', request.message]),
    ]);
    // Nothing was committed, so the index is to know nothing of them again.
    if (committing !== 0 && added.length > 0)
      await show(request, ['rm', '--cached', '--force', '--quiet', ...newFiles]);
    return committing;
  } finally {
    await rm(lists, { recursive: true, force: true });
  }
}

/** Exit code of what a signal ended. */
const STOPPED = 130;

interface CommittedPaths {
  readonly committed: readonly BytePath[];
  /** Paths among them that git does not know yet. */
  readonly added: readonly BytePath[];
}

/** Leaves out files that are gone and that git never knew. */
async function findCommitted(request: CommitRequest): Promise<CommittedPaths> {
  const known = new Set(await list(request, ['ls-files', '-z', '--cached']));
  const isGone = (file: FileChange) => file.after === undefined && !known.has(pathOf(file));
  const inHead = request.files.some(isGone)
    ? new Set(await list(request, ['ls-tree', '-r', '-z', '--name-only', 'HEAD']))
    : new Set();
  const files = request.files.filter((file) => !isGone(file) || inHead.has(pathOf(file)));
  return {
    committed: files.map(pathOf),
    added: files
      .filter(({ after }) => after !== undefined)
      .map(pathOf)
      .filter((path) => !known.has(path)),
  };
}

/** Whether git would commit anything of these; where it cannot tell, as before the first commit, it says so itself. */
async function hasNews(request: CommitRequest, paths: readonly BytePath[]): Promise<boolean> {
  const listed = await list(request, ['diff', '--name-only', '--no-renames', '--relative', '-z', 'HEAD']);
  const different = new Set(listed);
  return listed === undefined || paths.some((path) => different.has(path));
}

/** Paths by a file, since there may be too many of them for a command line. */
async function writeList(file: string, paths: readonly BytePath[]): Promise<readonly string[]> {
  await writeFile(file, paths.map((path) => `${path}\0`).join(''), 'latin1');
  return [`--pathspec-from-file=${file}`, '--pathspec-file-nul'];
}

/** Runs git with the terminal of the user. */
async function show({ git, folder, env }: CommitRequest, args: readonly string[]): Promise<number> {
  const child = spawn(git, ['--literal-pathspecs', ...args], { cwd: folder, env, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  // Ctrl-C in the editor or a hook.
  return typeof code === 'number' ? code : STOPPED;
}

/** Names that git prints; absent if it fails, which the commit then says. */
async function list(
  { git, folder, env }: CommitRequest,
  args: readonly string[],
): Promise<readonly BytePath[] | undefined> {
  const child = spawn(git, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) return undefined;
  return Buffer.concat(chunks)
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '');
}

/** Files to commit, as the last of their turns left them. */
export interface CommittedFiles {
  readonly what: string;
  /** Units that changed the files. */
  readonly units: readonly FileUnit[];
  readonly files: readonly FileChange[];
}

/** Chooses the files that turns and applies changed in the working folder, without what is undone. Throws `IN_A_COPY`, or `CONTENT_NOT_KEPT`
 * if there are files that are not listed. */
export function filesToCommit(history: FileHistory, { what, paths }: FileChoice): CommittedFiles {
  const filter = createFileFilter(paths);
  const selected = what === undefined ? selectNewest(history, filter) : selectUnits(history, what);
  requireRecordedHere('commit', history, selected);
  const units = selected.units
    .filter(({ by, copyOf }) => by.kind !== 'undo' && copyOf === undefined)
    .map((unit) => ({ ...unit, files: unit.files.filter((file) => !unit.undone.has(keyOf(file))) }))
    .filter(({ files }) => files.some(filter));
  if (units.length === 0 && selected.units.some(({ copyOf }) => copyOf !== undefined))
    throw new HuddleError('IN_A_COPY', { what: selected.what });
  requireChanged(selected.what, selected.units, paths);
  requireListed(selected.what, units, paths);
  const files = new Map<string, FileChange>();
  for (const file of joinChanges(units).flat())
    if (filter(file)) {
      const { before } = files.get(keyOf(file)) ?? file;
      files.set(keyOf(file), { ...file, before });
    }
  const isLasting = (unit: FileUnit) => unit.files.some((file) => files.has(keyOf(file)));
  return { what: selected.what, units: units.filter(isLasting), files: [...files.values()] };
}

/** Lines for the end of a commit message: the session, and the turns that changed the files. */
export function describeTrailers(
  sessionId: string,
  units: readonly FileUnit[],
  { members, turns }: FileHistory,
): readonly string[] {
  const names = units.flatMap(({ by, names: own }) => (by.kind === 'apply' ? by.of : own));
  const lines = [...new Set(names)].map((name) => {
    const member = members.find(({ id }) => id === turns.find(name)?.memberId);
    const facts = [member?.agentType, member?.model].filter((fact) => fact !== undefined);
    const details = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
    return `Huddle-Turn: ${name.replace(/^turn-/u, '')} ${member?.name ?? ''}${details}`;
  });
  return [`Huddle-Session: ${sessionId}`, ...lines].map((line) => sanitizeToOneLine(line).trim());
}
