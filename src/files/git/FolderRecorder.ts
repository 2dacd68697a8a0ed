import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChange, GitChange } from '../../models/FileChange.js';
import type { Logger } from '../../utils/logger.js';
import { isSameState } from '../changes/fileHistory.js';
import { type BytePath, fileNameOf, isText, namePath, pathOf, toText } from '../paths.js';
import type { PlannedFile, RecordedFolder } from '../Workspace.js';
import { type FolderPart, openPart, type PartOptions, type PartPlace } from './FolderPart.js';
import { GitGuard } from './GitGuard.js';
import { nameKept } from './keepContents.js';
import type { OwnRepository } from './ownRepository.js';
import { type CountedPatch, type LineCounts, makePatchText } from './patchText.js';
import { type ByteChange, markUnkept } from './recordFolder.js';
import { GitError } from './runGit.js';
import { amongRegularFiles } from './userRepository.js';

export interface FolderRecorderOptions extends PartPlace {
  /** A folder that members work in, with links resolved: the working folder, or a copy. */
  readonly folder: string;
  readonly maxFileBytes: number;
  readonly logger?: Logger | undefined;
}

export interface FolderRecordOptions {
  readonly withPatch?: boolean | undefined;
  /** Files that were carried: the record is of these, and all else that changed is of others. */
  readonly carried?: readonly PlannedFile[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** Most nested repositories that are looked at. */
const MOST_PARTS = 50;
/** Most files that a record lists. */
const MOST_LISTED = 10_000;
/** Time in which the caller has written a record down; after a crash in between, it is made again. */
const SETTLING_MS = 1000;

/** The known state of one folder, for one conversation, with the repositories nested in it. */
export class FolderRecorder {
  readonly #options: FolderRecorderOptions;
  #parts: FolderPart[] = [];
  /** Nested repositories that are none any more. */
  #ended: FolderPart[] = [];
  #guard: GitGuard | undefined;
  #settling: NodeJS.Timeout | undefined;

  constructor(options: FolderRecorderOptions) {
    this.#options = options;
  }

  /** Whether there is a state to compare with; a damaged one is none. */
  get #isKnown(): boolean {
    return this.#parts[0]?.isKnown ?? false;
  }

  /** Our repository of the folder; there is one as soon as the folder was opened. */
  get repository(): OwnRepository {
    const [main] = this.#parts;
    if (main === undefined) throw new Error('the folder is not open');
    return main.repository;
  }

  /** The repository around the folder, and those nested in it. */
  get parts(): readonly FolderPart[] {
    return this.#parts;
  }

  /** Finds the last known state, or makes it from what is there now. */
  open(options: FolderRecordOptions = {}): Promise<'new' | 'known'> {
    return amongRegularFiles(this.#options.folder, options.signal, (signal) =>
      this.#open({ ...options, signal }),
    );
  }

  async #open(options: FolderRecordOptions): Promise<'new' | 'known'> {
    const { folder } = this.#options;
    const main = await openPart(this.#options, folder, '', options.signal);
    this.#parts = [main];
    this.#guard = new GitGuard(main.repository);
    if (main.isKnown) {
      for (const part of this.#parts) await this.#openNested(part, options.signal);
      return 'known';
    }
    for (const part of this.#parts) {
      await part.first(this.#partOptions(options));
      await this.#openNested(part, options.signal);
    }
    this.#guard.look();
    this.settle();
    return 'new';
  }

  /** Writes down what differs from the last known state, which becomes that of now. */
  record(options: FolderRecordOptions = {}): Promise<RecordedFolder> {
    return amongRegularFiles(this.#options.folder, options.signal, (signal) =>
      this.#record({ ...options, signal }),
    );
  }

  async #record(options: FolderRecordOptions): Promise<RecordedFolder> {
    this.settle();
    if (!this.#isKnown) await this.open(options);
    try {
      const { changes, git } = await this.#look(options);
      const record = await this.#describe(changes, git, options);
      // Nobody waits for it any more: it is made again.
      if (options.signal?.aborted) throw new GitError('stopped', 'record was stopped');
      this.#settling = setTimeout(() => this.trySettling(), SETTLING_MS).unref();
      return record;
    } catch (error) {
      for (const part of this.#parts) part.discard();
      if (isDamaged(error)) for (const part of this.#parts) part.forget();
      this.#ended = [];
      this.#guard?.discard();
      throw error;
    }
  }

  async #describe(
    changes: readonly ByteChange[],
    git: GitChange | undefined,
    { carried, withPatch, signal }: FolderRecordOptions,
  ): Promise<RecordedFolder> {
    if (carried === undefined) {
      const counted = withPatch ? await this.#makePatch(changes.slice(0, MOST_LISTED), signal) : undefined;
      return describeAll(changes, counted, git);
    }
    const own = this.#describeCarried(carried);
    const counted = await this.#makePatch(own.slice(0, MOST_LISTED), signal);
    return {
      ...describeAll(own, counted),
      others: describeAll(withoutCarried(changes, own), undefined, git),
    };
  }

  /** The changes that carrying made. */
  #describeCarried(carried: readonly PlannedFile[]): readonly ByteChange[] {
    const { repository } = this;
    const { layout, conversationId } = this.#options;
    const changes = carried.map((file) =>
      markUnkept(repository, {
        path: pathOf(file),
        ...(file.now && { before: file.now }),
        ...(file.after && { after: file.after }),
      }),
    );
    const ids = changes.flatMap(({ before, after }) => [before, after].flatMap((state) => state?.id ?? []));
    nameKept(join(layout.kept, fileNameOf(conversationId)), ids);
    return changes.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** The last record is written down: the next one starts from it, in whatever process. */
  settle(): void {
    clearTimeout(this.#settling);
    for (const part of this.#ended) part.forget();
    this.#parts = this.#parts.filter((part) => !this.#ended.includes(part));
    this.#ended = [];
    for (const part of this.#parts) part.settle();
    this.#guard?.settle();
  }

  /** Settles if it can; else it stays as it would be after a crash, and the next record says why. */
  trySettling(): void {
    try {
      this.settle();
    } catch (error) {
      this.#options.logger?.warn?.(`a record is not settled: ${String(error)}`);
    }
  }

  /** The user's repository, beside its files, is as it should be: nobody changed it. */
  acceptRepository(): void {
    this.#guard?.look();
    this.#guard?.settle();
  }

  /** Looks at the repository beside its files while the gits look at those. */
  async #look(options: FolderRecordOptions) {
    const finding = this.#findChanges(options);
    let git: GitChange | undefined;
    try {
      git = this.#guard?.look();
    } finally {
      await finding;
    }
    return { changes: await finding, git };
  }

  async #findChanges(options: FolderRecordOptions): Promise<readonly ByteChange[]> {
    const found = new Map<BytePath, ByteChange>();
    for (const part of this.#parts) {
      // Its files are those of the part around it now; here they are gone.
      const isEnded = part.base !== '' && !existsSync(join(part.repository.top, '.git'));
      if (isEnded) this.#ended.push(part);
      const changes = await part.record({ ...this.#partOptions(options), isEnded });
      for (const change of changes) mergeChange(found, change);
      await this.#openNested(part, options.signal);
    }
    return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Adds the repositories nested in a part; the loops over parts come to them later. */
  async #openNested(part: FolderPart, signal: AbortSignal | undefined): Promise<void> {
    for (const base of part.nested) {
      if (this.#parts.some((known) => known.base === base)) continue;
      if (this.#parts.length > MOST_PARTS || !isText(base)) {
        this.#options.logger?.warn?.(`not recorded: the repository in ${toText(base)}`);
      } else {
        await this.openNested(base, signal);
      }
    }
  }

  /** Adds the repository that is nested in a place of the folder. */
  async openNested(base: BytePath, signal?: AbortSignal): Promise<FolderPart> {
    const folder = join(this.#options.folder, toText(base.slice(0, -1)));
    const part = await openPart(this.#options, folder, base, signal);
    this.#parts.push(part);
    return part;
  }

  /** The lines; a record without them is better than none. */
  async #makePatch(
    changes: readonly ByteChange[],
    signal: AbortSignal | undefined,
  ): Promise<CountedPatch | undefined> {
    try {
      return await makePatchText(this.repository, changes, { signal });
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      this.#options.logger?.warn?.(`a record without lines: ${error.detail}`);
      return undefined;
    }
  }

  #partOptions({ signal, onProgress }: FolderRecordOptions): PartOptions {
    const { layout, conversationId, maxFileBytes } = this.#options;
    return { kept: join(layout.kept, fileNameOf(conversationId)), maxFileBytes, signal, onProgress };
  }
}

/** Whether the known state cannot be read: then nothing is known, and the next record begins anew. */
function isDamaged(error: unknown): boolean {
  return (
    error instanceof GitError &&
    /index file corrupt|index file smaller|bad (?:index|signature)/u.test(error.detail)
  );
}

/** Puts together what two parts say of one path: gone from one, new in the other. */
function mergeChange(found: Map<BytePath, ByteChange>, change: ByteChange): void {
  const { path } = change;
  const first = found.get(path);
  if (first === undefined) {
    found.set(path, change);
    return;
  }
  const before = first.before ?? change.before;
  const after = first.after ?? change.after;
  if (isSameState(before, after)) found.delete(path);
  else found.set(path, { ...first, ...change, ...(before && { before }), ...(after && { after }) });
}

/** Takes out of changes those that carrying made; on top of one, somebody may have made another. */
function withoutCarried(
  changes: readonly ByteChange[],
  carried: readonly ByteChange[],
): readonly ByteChange[] {
  const made = new Map(carried.map((change) => [change.path, change]));
  return changes.flatMap((change) => {
    const own = made.get(change.path);
    if (own === undefined) return [change];
    const { before: _, ...rest } = change;
    const [left, now] = [own.after, change.after];
    if (isSameState(left, now)) return [];
    return [{ ...rest, ...(left && { before: left }) }];
  });
}

function describeAll(
  changes: readonly ByteChange[],
  counted: CountedPatch | undefined,
  git?: GitChange | undefined,
): RecordedFolder {
  const listed = changes.slice(0, MOST_LISTED);
  const unlisted = changes.length - listed.length;
  return {
    kind: 'recorded',
    files: listed.map((change) => describe(change, counted?.counts)),
    ...(unlisted > 0 && { unlisted }),
    ...(counted?.patch && { patch: counted.patch }),
    ...(counted?.isCut && { patchIsCut: true }),
    ...(git && { git }),
  };
}

function describe(change: ByteChange, counts?: ReadonlyMap<BytePath, LineCounts>): FileChange {
  const { path, before, after, isKept } = change;
  const lines = counts?.get(path);
  return {
    ...namePath(path),
    change: before === undefined ? 'add' : after === undefined ? 'delete' : 'update',
    ...(before && { before }),
    ...(after && { after }),
    ...lines,
    ...(counts?.has(path) && lines === undefined && { isBinary: true }),
    ...(isKept === false && { isKept }),
  };
}
