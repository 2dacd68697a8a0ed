import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { GitChange } from '../../models/FileChange.js';
import { readJson, writeWhole } from '../paths.js';
import type { OwnRepository } from './ownRepository.js';
import type { UserRepository } from './userRepository.js';

interface Known {
  /** Absent: there was no repository. */
  readonly state?: GitState;
}

/** The known state of the user's repository beside its files: commits, branches, what can run programs or hide files. */
export class GitGuard {
  readonly #repository: OwnRepository;
  #known: Known | undefined;
  #next: Known | undefined;

  constructor(repository: OwnRepository) {
    this.#repository = repository;
    // Unreadable, the next look is the first.
    this.#known = readJson(this.#file);
  }

  /** Tells what became different; nothing the first time. What is seen counts when it is settled. */
  look(): GitChange | undefined {
    const state = readGitState(this.#repository.user ?? newRepositoryIn(this.#repository.top));
    this.#next = state === undefined ? {} : { state };
    return this.#known && compareGitStates(this.#known.state, state);
  }

  settle(): void {
    if (this.#next === undefined) return;
    if (JSON.stringify(this.#next) !== JSON.stringify(this.#known)) {
      writeWhole(this.#file, JSON.stringify(this.#next));
    }
    this.#known = this.#next;
    this.#next = undefined;
  }

  discard(): void {
    this.#next = undefined;
  }

  get #file(): string {
    return guardFileOf(this.#repository.index);
  }
}

/** The repository of a folder was made anew: nothing in it is known. */
export function forgetGuarded(index: string): void {
  rmSync(guardFileOf(index), { force: true });
}

function guardFileOf(index: string): string {
  return `${index}.git.json`;
}

/** A repository that was made in a folder which had none. */
function newRepositoryIn(top: string): UserRepository {
  const gitFolder = join(top, '.git');
  return { top, gitFolder, commonFolder: gitFolder, format: 'sha1' };
}

/** The user's repository beside the files, read without git: its configuration is not asked. */
interface GitState {
  /** The commit that is checked out; absent: none yet. */
  readonly head?: string;
  readonly branch?: string;
  /** Ids of branches and stash. */
  readonly refs: Readonly<Record<string, string>>;
  /** Hashes of what can run programs or hide files. */
  readonly files: Readonly<Record<string, string>>;
}

/** Reads the state of a repository; `undefined` if it is gone. */
function readGitState(user: UserRepository): GitState | undefined {
  const { gitFolder, commonFolder } = user;
  const headText = readText(join(gitFolder, 'HEAD'));
  if (headText === undefined) return undefined;
  const refs = readRefs(commonFolder);
  const target = /^ref: (.*)$/mu.exec(headText)?.[1];
  const head = target === undefined ? headText.trim() : refs[target];
  const branch = target?.replace(/^refs\/heads\//u, '');
  return { ...(head && { head }), ...(branch && { branch }), refs, files: hashFiles(user) };
}

/** Tells what a repository became; `undefined` if it is what it was. */
function compareGitStates(before: GitState | undefined, after: GitState | undefined): GitChange | undefined {
  if (before === undefined && after === undefined) return undefined;
  if (after === undefined) return { isGone: true };
  const refs = differingKeys(before?.refs ?? {}, after.refs);
  // Of a repository that is new, only what can run.
  const files = differingKeys(before?.files ?? {}, after.files).filter(
    (name) => before !== undefined || name.startsWith('hooks/'),
  );
  const change: GitChange = {
    ...(before?.head !== after.head && { head: pair(before?.head, after.head) }),
    ...(before?.branch !== after.branch && { branch: pair(before?.branch, after.branch) }),
    ...(refs.length > 0 && { refs }),
    ...(files.length > 0 && { files }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

function pair(before: string | undefined, after: string | undefined) {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function differingKeys(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

/** Branches and stash: packed, and over them those with a file of their own. */
function readRefs(commonFolder: string): Record<string, string> {
  const packed = Array.from(
    (readText(join(commonFolder, 'packed-refs')) ?? '').matchAll(
      /^([0-9a-f]{40,}) (refs\/(?:heads\/.*|stash))$/gmu,
    ),
    ([, id = '', name = '']): [string, string] => [name, id],
  );
  const names = listFiles(join(commonFolder, 'refs', 'heads')).map((name) => `refs/heads/${name}`);
  const loose = [...names, 'refs/stash'].flatMap((name): [string, string][] => {
    const id = readText(join(commonFolder, name))?.trim();
    return id ? [[name, id]] : [];
  });
  // Newer repositories have one table instead.
  const table = hashFile(join(commonFolder, 'reftable', 'tables.list'));
  return Object.fromEntries([...packed, ...loose, ...(table ? [['reftable', table] as const] : [])]);
}

function hashFiles({ top, gitFolder, commonFolder }: UserRepository): Record<string, string> {
  // Samples never run.
  const hooks = listFiles(join(commonFolder, 'hooks')).filter((name) => !name.endsWith('.sample'));
  const names = ['config', 'info/attributes', 'info/exclude', ...hooks.map((name) => `hooks/${name}`)];
  const places = [
    ...names.map((name): [string, string] => [name, join(commonFolder, name)]),
    ['config.worktree', join(gitFolder, 'config.worktree')] as const,
    ['.git', join(top, '.git')] as const,
  ];
  return Object.fromEntries(
    places.flatMap(([name, path]) => {
      const hash = hashFile(path);
      return hash === undefined ? [] : [[name, hash] as const];
    }),
  );
}

/** Length above which a file is known by its size and time. */
const MOST_HASHED = 4 * 1024 * 1024;

/** Content and mode of a file, and through a link of the one it leads to: that is what runs. */
function hashFile(path: string): string | undefined {
  try {
    const { mode } = lstatSync(path);
    const stats = statSync(path);
    // A pipe would wait for somebody who writes to it.
    if (!stats.isFile()) return undefined;
    const content = stats.size > MOST_HASHED ? `${stats.size} ${stats.mtimeMs}` : readFileSync(path);
    return createHash('sha256').update(`${mode}\0`).update(content).digest('hex');
  } catch {
    return undefined; // Not there, or no file: nothing that git would take.
  }
}

function readText(path: string): string | undefined {
  try {
    // A pipe would wait for somebody who writes to it.
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** Files below a folder, with `/` between. */
function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}
