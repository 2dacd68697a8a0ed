import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { findCommand, foldersOutside } from '../../utils/findCommand.js';
import { EMPTY_FILE, readJson, stampOf, writeWhole } from '../paths.js';

/** A git that was found, and what it needs to run. */
export interface Git {
  /** Absolute path. */
  readonly file: string;
  readonly version: string;
  /** PATH of the user, with which git finds its own parts. */
  readonly path: string;
}

export interface GitCall {
  readonly args: readonly string[];
  /** Added to an environment that holds nothing of the user's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Bytes, one character each. */
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
  /** Stops git when it has written more; the result is what there is, and `isCut`. */
  readonly maxBytes?: number;
  /** Code 1 is an answer, too. */
  readonly mayFail?: boolean;
  /** Takes the output as it comes; none is left for the result. */
  readonly onOutput?: (chunk: Buffer) => void;
}

/** Everything here is bytes: one character each. */
export interface GitOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly isCut: boolean;
}

/** A git call that failed, could not start, or was stopped. */
export class GitError extends Error {
  override readonly name = 'GitError';

  constructor(
    readonly reason: 'failed' | 'stopped' | 'disk-full',
    /** The words of git or of the system, on one line. */
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(`git: ${detail}`, options);
  }
}

const DISK_FULL = /No space left on device|Disk quota exceeded/u;

/** Runs git and resolves with its output; rejects with `GitError` unless it ended with code 0. */
export function runGit(git: Git, call: GitCall): Promise<GitOutput> {
  const { args, env, cwd = '/', input, signal, maxBytes = Number.POSITIVE_INFINITY } = call;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(stopped(args));
    // A group of its own: Ctrl-C in the terminal is for Huddle to decide about.
    const options = { cwd, env: { ...cleanEnvironment(git), ...env }, detached: true } as const;
    const child =
      input === undefined
        ? spawn(git.file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
        : spawn(git.file, args, options);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let length = 0;
    let isCut = false;
    const kill = () => child.kill('SIGKILL');
    const stop = () => {
      kill();
      // Neither what it started and holds its output open, nor a disk that does not let go of it, keeps us.
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      child.unref();
      reject(stopped(args));
    };
    const takeOutput = (chunk: Buffer, take: (chunk: Buffer) => void) => {
      try {
        take(chunk);
      } catch (error) {
        kill();
        child.stdout.destroy();
        reject(error);
      }
    };
    const fail = (error: Error) => reject(new GitError('failed', oneLine(error.message), { cause: error }));
    child.stdout.on('data', (chunk: Buffer) => {
      if (isCut) return;
      if (call.onOutput) return takeOutput(chunk, call.onOutput);
      stdout.push(chunk);
      length += chunk.length;
      isCut = length > maxBytes;
      if (isCut) kill();
    });
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // A git that ends before it has read everything says why in its exit.
    child.stdin?.on('error', () => undefined);
    child.on('error', fail);
    child.on('close', (code) => {
      signal?.removeEventListener('abort', stop);
      const output = { stdout: toText(stdout), stderr: toText(stderr), isCut };
      if (code === 0 || isCut || (code === 1 && call.mayFail)) resolve(output);
      else reject(failed(args, output.stderr));
    });
    signal?.addEventListener('abort', stop, { once: true });
    child.stdin?.end(input, 'latin1');
  });
}

/** Nothing of the user's configuration, and no way to ask for anything. */
function cleanEnvironment({ path }: Git): Record<string, string> {
  return {
    PATH: path,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: EMPTY_FILE,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_PAGER: '',
  };
}

function toText(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('latin1');
}

function stopped([command = '']: readonly string[]): GitError {
  return new GitError('stopped', `${command} was stopped`);
}

function failed([command = '']: readonly string[], stderr: string): GitError {
  const detail = oneLine(Buffer.from(stderr, 'latin1').toString('utf8')) || `${command} failed`;
  return new GitError(DISK_FULL.test(stderr) ? 'disk-full' : 'failed', detail);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, 500);
}

/** The oldest git that does everything needed here. */
const OLDEST: readonly [major: number, minor: number] = [2, 34];
/** Time that a git has to say its version. */
const VERSION_MS = 10_000;

type GitLookup =
  | { readonly kind: 'found'; readonly git: Git }
  | { readonly kind: 'missing' }
  | { readonly kind: 'old'; readonly version: string }
  /** It does not even say its version; `detail` has its words. */
  | { readonly kind: 'broken'; readonly detail: string };

interface FindGitOptions {
  readonly milliseconds?: number;
  /** A file of ours that remembers the version. */
  readonly memory?: string;
}

/** Finds the user's git, as programs of agents are found. Its own look-ups do not lead into the project either. */
export async function findGit(
  path: string | undefined,
  workingFolder = '/',
  { milliseconds = VERSION_MS, memory }: FindGitOptions = {},
): Promise<GitLookup> {
  const folders = foldersOutside({ path, workingFolder }).join(delimiter);
  const lookup = findCommand('git', { path: folders, workingFolder });
  if (lookup.kind !== 'found') return { kind: 'missing' };
  const git = { file: lookup.file, version: '', path: folders };
  const stamp = stampOf(lookup.file);
  const known = memory === undefined ? undefined : readJson<KnownGit>(memory);
  if (known !== undefined && known.stamp === stamp)
    return { kind: 'found', git: { ...git, version: known.version } };
  const answer = await askVersion(git, milliseconds);
  if (answer instanceof GitError) return { kind: 'broken', detail: answer.detail };
  const [version = '', major, minor] = /(\d+)\.(\d+)[\w.]*/u.exec(answer) ?? [];
  const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  if (isOld || version === '') return { kind: 'old', version };
  if (memory !== undefined) writeWhole(memory, JSON.stringify({ stamp, version } satisfies KnownGit));
  return { kind: 'found', git: { ...git, version } };
}

interface KnownGit {
  readonly stamp: string | undefined;
  readonly version: string;
}

async function askVersion(git: Git, milliseconds: number): Promise<string | GitError> {
  const clock = AbortSignal.timeout(milliseconds);
  try {
    return (await runGit(git, { args: ['--version'], signal: clock })).stdout;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (!clock.aborted) return error;
    return new GitError('failed', `git --version did not finish in ${milliseconds / 1000} s`);
  }
}
