import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GitChange } from '../../models/FileChange.js';
import { compareGitStates, type GitState, readGitState } from './gitState.js';
import { type OwnRepository, writeWhole } from './ownRepository.js';
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
    this.#known = readKnown(this.#file);
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

function readKnown(file: string): Known | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Known;
  } catch {
    return undefined; // None yet, or half written when the machine went down: then the next look is the first.
  }
}

/** A repository that was made in a folder which had none. */
function newRepositoryIn(top: string): UserRepository {
  const gitFolder = join(top, '.git');
  return { top, gitFolder, commonFolder: gitFolder, format: 'sha1' };
}
