import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath, FilesLayout } from '../paths.js';
import { readJson, writeWhole } from '../paths.js';
import { forgetGuarded } from './GitGuard.js';
import { findHiddenFiles } from './hiddenFiles.js';
import { nameKept } from './keepContents.js';
import type { AsideFile } from './lookAtFolder.js';
import { makeOwnRepository, type OwnRepository } from './ownRepository.js';
import {
  type ByteChange,
  type FolderState,
  type RecordFolderOptions,
  recordFirst,
  recordFolder,
} from './recordFolder.js';
import type { Git } from './runGit.js';
import { readFolderSettings, writeSettings } from './settings.js';
import { nextOf, removeLeftovers, settleIndex } from './updateIndex.js';
import { findUserRepository } from './userRepository.js';

export type PartOptions = Omit<RecordFolderOptions, 'aside' | 'recent'>;

interface PartRecordOptions extends PartOptions {
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
    const isPassing = this.repository.keptObjects === undefined ? undefined : true;
    const text = JSON.stringify({ aside: [...aside], nested, isPassing } satisfies StoredState);
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
  /** Its contents are not kept. */
  readonly isPassing?: boolean;
}

function readState(file: string): FolderState | undefined {
  const state = readJson<StoredState>(file);
  return state && { aside: new Map(state.aside), nested: state.nested, recent: new Map() };
}

export interface PartPlace {
  readonly git: Git;
  readonly layout: FilesLayout;
  readonly dataFolder: string;
  /** Other files of ours, which are not recorded either. */
  readonly ownFiles?: readonly string[] | undefined;
  readonly conversationId: string;
  /** A configuration file under which git looks at repositories of any owner. */
  readonly globalConfig: string;
  readonly env: NodeJS.ProcessEnv;
  /** A folder for contents that are not kept: there is no room for more. */
  readonly passing?: string | undefined;
  /** The folder has no repository; one around it is none of its own. */
  readonly isPlain?: boolean | undefined;
}

/** Finds the user's repository of a folder, and makes or finds our own beside it. */
export async function openPart(
  place: PartPlace,
  folder: string,
  base: BytePath,
  signal?: AbortSignal,
): Promise<FolderPart> {
  const { git, globalConfig, env, dataFolder, ownFiles = [] } = place;
  const isPlain = place.isPlain === true && base === '';
  const found = isPlain ? undefined : await findUserRepository(git, folder, globalConfig, signal);
  // A nested folder whose repository says that it is elsewhere is looked at as it stands.
  const user = base !== '' && found?.top !== folder ? undefined : found;
  const repository = makeOwnRepository({ ...place, folder, user });
  const memory = join(repository.gitFolder, 'settings.json');
  const settings = await readFolderSettings({ git, user, env, memory, signal });
  writeSettings(repository, settings, [dataFolder, ...ownFiles]);
  return new FolderPart(repository, base);
}

/** Our repository of a folder, for contents that are kept; nothing that a record needs is touched. */
export async function findOwnRepository(place: PartPlace, folder: string): Promise<OwnRepository> {
  const user = await findUserRepository(place.git, folder, place.globalConfig);
  const repository = makeOwnRepository({ ...place, folder, user });
  const isNew = !existsSync(join(repository.gitFolder, 'config'));
  if (isNew) writeSettings(repository, { core: {} }, [place.dataFolder]);
  return repository;
}
