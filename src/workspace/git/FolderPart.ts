import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { BytePath } from '../bytePaths.js';
import type { AsideFile } from './asideFiles.js';
import { forgetGuarded } from './GitGuard.js';
import { findHiddenFiles } from './hiddenFiles.js';
import { nextOf, removeLeftovers, settleIndex } from './indexFiles.js';
import { nameKept } from './keepContents.js';
import { type OwnRepository, writeWhole } from './ownRepository.js';
import {
  type ByteChange,
  type FolderState,
  type RecordFolderOptions,
  recordFirst,
  recordFolder,
} from './recordFolder.js';

export type PartOptions = Omit<RecordFolderOptions, 'aside' | 'recent'>;

export interface PartRecordOptions extends PartOptions {
  /** It is no repository any more: all its files are gone from it. */
  readonly isEnded: boolean;
}

/** A repository in the folder that is worked in: the one around it, or one nested in it. Each has a known state of its own. */
export class FolderPart {
  readonly repository: OwnRepository;
  /** Place in the folder that is worked in: empty, or with a slash at its end. */
  readonly base: BytePath;
  #state: FolderState = { aside: new Map(), nested: [], recent: new Map() };
  #next: FolderState | undefined;
  #stored: string | undefined;
  #hasRecorded = false;

  constructor(repository: OwnRepository, base: BytePath) {
    this.repository = repository;
    this.base = base;
    if (this.isKnown) this.#state = readState(this.#stateFile) ?? this.#startAnew();
  }

  /** Whether a record was made here, in this process or another. */
  get isKnown(): boolean {
    return existsSync(this.#stateFile);
  }

  /** Nested repositories of the last record, from the folder that is worked in. */
  get nested(): readonly BytePath[] {
    return (this.#next ?? this.#state).nested.map((path) => this.#fromFolder(path));
  }

  async first(options: PartOptions): Promise<void> {
    this.#removeLeftovers();
    this.#next = await recordFirst(this.repository, { ...options, aside: new Map(), recent: new Map() });
  }

  /** Finds what differs; the state of now counts when it is settled. */
  async record({ isEnded, ...options }: PartRecordOptions): Promise<ByteChange[]> {
    this.#removeLeftovers();
    const { repository } = this;
    const place = isEnded ? { ...repository, top: repository.empty } : repository;
    const { changes, ...state } = await recordFolder(place, { ...options, ...this.#state });
    const hidden = await findHiddenFiles(place, changes, options);
    nameKept(
      options.kept,
      hidden.flatMap(({ after, isKept }) => (after && isKept === undefined ? [after.id] : [])),
    );
    this.#next = state;
    return [...changes, ...hidden].map((change) => ({ ...change, path: this.#fromFolder(change.path) }));
  }

  /** The state that was found is the last known one. */
  settle(): void {
    if (this.#next === undefined) return;
    const { aside, nested } = this.#next;
    const text = JSON.stringify({ aside: [...aside], nested } satisfies StoredState);
    if (text !== this.#stored) writeWhole(this.#stateFile, text);
    this.#stored = text;
    settleIndex(this.repository.index);
    this.#state = this.#next;
    this.#next = undefined;
  }

  /** The state that was found does not count. */
  discard(): void {
    rmSync(nextOf(this.repository.index), { force: true });
    this.#next = undefined;
  }

  /** Nothing is known of it any more. */
  forget(): void {
    this.discard();
    for (const path of [this.repository.index, this.#stateFile]) rmSync(path, { force: true });
  }

  /** Only before the first record: a process that merely looks leaves the files of another alone. */
  #removeLeftovers(): void {
    if (!this.#hasRecorded) removeLeftovers(this.repository.index);
    this.#hasRecorded = true;
  }

  /** Forgets a state that cannot be read. */
  #startAnew(): FolderState {
    this.forget();
    return this.#state;
  }

  get #stateFile(): string {
    return stateFileOf(this.repository.index);
  }

  #fromFolder(path: BytePath): BytePath {
    return this.base + path.slice(this.repository.prefix.length);
  }
}

/** Makes an index that was written by other means the last known state of its folder. */
export function adoptIndex(index: string): void {
  writeWhole(stateFileOf(index), JSON.stringify({ aside: [], nested: [] } satisfies StoredState));
  forgetGuarded(index);
}

function stateFileOf(index: string): string {
  return `${index}.json`;
}

interface StoredState {
  readonly aside: readonly [BytePath, AsideFile][];
  readonly nested: readonly BytePath[];
}

function readState(file: string): FolderState | undefined {
  try {
    const { aside, nested } = JSON.parse(readFileSync(file, 'utf8')) as StoredState;
    return { aside: new Map(aside), nested, recent: new Map() };
  } catch {
    return undefined; // Half written when the machine went down.
  }
}
