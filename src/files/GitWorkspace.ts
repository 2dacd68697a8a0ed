import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileChange } from '../models/FileChange.js';
import type { MemberId } from '../models/ids.js';
import type { Logger } from '../utils/logger.js';
import { makePrivateFolder } from '../utils/privatePaths.js';
import { carryFiles } from './carry/carryFiles.js';
import { prepareCarry } from './carry/prepareCarry.js';
import {
  type IntentPlace,
  readIntent,
  removeIntent,
  removeStagingLeftovers,
  writeIntent,
} from './carry/stagingFolder.js';
import { MemberCopies } from './copies/MemberCopies.js';
import { removeDrafts } from './git/contents.js';
import { findOwnRepository } from './git/FolderPart.js';
import { FolderRecorder, type FolderRecorderOptions } from './git/FolderRecorder.js';
import type { OwnRepository } from './git/ownRepository.js';
import { makePatchText } from './git/patchText.js';
import { findGit, type Git } from './git/runGit.js';
import { hasRoomLately } from './letGo.js';
import { markTurn } from './marks.js';
import { filesLayout, pathOf, writeWhole } from './paths.js';
import type {
  CarryIntent,
  CarryOptions,
  CarryPlan,
  CarryRequest,
  CopyRequest,
  CopyResult,
  FolderRecord,
  MarkOptions,
  NotRecordedResult,
  OpenWorkspaceOptions,
  PatchOptions,
  PatchText,
  RecordOptions,
  TurnMark,
  Workspace,
  WorkspaceOpening,
} from './Workspace.js';
import {
  isWideFolder,
  notRecorded,
  noWorkspace,
  TooSlowError,
  toNotRecorded,
  withinTime,
} from './whyNotRecorded.js';

export interface WorkspaceOptions {
  readonly folder: string;
  readonly dataFolder: string;
  readonly conversationId: string;
  /** Paths of files that are not recorded: Huddle's own. */
  readonly ownFiles?: readonly string[] | undefined;
  /** Contents of larger files are not kept. */
  readonly maxFileBytes?: number;
  /** Bytes of all contents together above which no more are kept. */
  readonly maxKeptBytes?: number;
  /** Times after which a look is given up: the first one, and every other. */
  readonly firstMs?: number;
  readonly recordMs?: number;
  readonly logger?: Logger;
  readonly env?: NodeJS.ProcessEnv;
}

const MOST_FILE_BYTES = 16 * 1024 * 1024;
const FIRST_MS = 120_000;
const RECORD_MS = 30_000;

/** A workspace that records with the user's git, into repositories of its own in the data folder. */
export class GitWorkspace implements Workspace {
  readonly folder: string;
  readonly #options: WorkspaceOptions;
  #opening: Promise<WorkspaceOpening> | undefined;
  #recorder: FolderRecorder | undefined;
  #copies: MemberCopies | undefined;
  /** The reason for which nothing is recorded any more. */
  #stopped: NotRecordedResult | undefined;
  /** Contents that are not kept, for as long as they may be needed here. */
  #passing: string | undefined;
  /** Count of looks in a row that had not enough time. */
  #slow = 0;
  /** Removing of leftovers, for which nobody waits but the end. */
  #tidying: Promise<void> | undefined;
  /** The last thing asked for: one git at a time writes an index. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WorkspaceOptions) {
    this.#options = options;
    this.folder = realpathSync.native(options.folder);
  }

  open(options: OpenWorkspaceOptions = {}): Promise<WorkspaceOpening> {
    this.#opening ??= this.#inTurn(async () => {
      const opening = await this.#open(options);
      // What went wrong this time is tried again the next time.
      if (opening.kind === 'not-recorded' && !opening.isFinal) this.#opening = undefined;
      return opening;
    });
    return this.#opening;
  }

  async record({ copyOf, withPatch = false, carried, signal }: RecordOptions = {}): Promise<FolderRecord> {
    const opening = await this.open();
    if (opening.kind === 'not-recorded') return opening;
    return this.#inTurn(async () => {
      if (this.#stopped !== undefined) return this.#stopped;
      try {
        const record = await withinTime(this.#options.recordMs ?? RECORD_MS, signal, async (inTime) =>
          (await this.#recorderOf(copyOf)).record({ withPatch, carried, signal: inTime }),
        );
        this.#slow = 0;
        return record;
      } catch (error) {
        if (signal?.aborted) return notRecorded('stopped', undefined, false);
        return this.#fail(error);
      }
    });
  }

  async patch(files: readonly FileChange[], options: PatchOptions = {}): Promise<PatchText> {
    await this.#opening;
    const repository = this.#recorder?.repository ?? (await this.#findRepository());
    if (repository === undefined) return { patch: '', isCut: false };
    const changes = files.map((file) => ({
      path: pathOf(file),
      ...(file.before && { before: file.before }),
      ...(file.after && { after: file.after }),
      ...(file.isKept === false && { isKept: file.isKept }),
    }));
    const { patch, isCut } = await makePatchText(repository, changes, options);
    return { patch, isCut };
  }

  async plan(request: CarryRequest): Promise<CarryPlan> {
    const opening = await this.open();
    if (opening.kind === 'not-recorded') return noWorkspace(this.folder, opening).plan(request);
    const { copyOf, steps } = request;
    const files = await this.#inTurn(async () => {
      return prepareCarry((await this.#recorderOf(copyOf)).repository, steps);
    });
    return { copyOf, files };
  }

  async carry({ copyOf, files }: CarryPlan, { intent, leavesChanged }: CarryOptions = {}) {
    await this.open();
    const begin = intent && (() => writeIntent(this.#intentPlace, intent));
    return this.#inTurn(async () => {
      const { repository } = await this.#recorderOf(copyOf);
      try {
        return await carryFiles(repository, files, { begin, leavesChanged });
      } catch (error) {
        // Nothing was touched.
        if (intent !== undefined) this.endIntent();
        throw error;
      }
    });
  }

  readIntent(): CarryIntent | undefined {
    return readIntent(this.#intentPlace);
  }

  endIntent(): void {
    removeIntent(this.#intentPlace);
  }

  async copyFor(request: CopyRequest): Promise<CopyResult> {
    const opening = await this.open();
    if (opening.kind === 'not-recorded') return noWorkspace(this.folder, opening).copyFor(request);
    return this.#inTurn(() => this.#openCopies.copyFor(request));
  }

  /** Marks a turn also where nothing is recorded: the other process may record. */
  async mark(turn: string, options?: MarkOptions): Promise<TurnMark> {
    const { dataFolder, logger } = this.#options;
    try {
      return await markTurn({ marks: filesLayout(dataFolder).marks, folder: this.folder }, turn, options);
    } catch (error) {
      logger?.warn?.(`no mark for ${turn}: ${String(error)}`);
      return this.#nothing.mark(turn);
    }
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#tidying;
    this.#recorder?.trySettling();
    this.#copies?.close();
    if (this.#passing !== undefined) await rm(this.#passing, { recursive: true, force: true });
  }

  async #recorderOf(copyOf: MemberId | undefined): Promise<FolderRecorder> {
    return copyOf === undefined ? this.#openRecorder : this.#openCopies.recorderOf(copyOf);
  }

  get #openCopies(): MemberCopies {
    if (this.#copies === undefined) throw new Error('the workspace is not open');
    return this.#copies;
  }

  get #intentPlace(): IntentPlace {
    const { dataFolder, conversationId } = this.#options;
    return { begun: filesLayout(dataFolder).begun, conversationId, folder: this.folder };
  }

  get #nothing(): Workspace {
    return noWorkspace(this.folder, { kind: 'not-recorded', reason: 'failed', isFinal: true });
  }

  get #openRecorder(): FolderRecorder {
    if (this.#recorder === undefined) throw new Error('the workspace is not open');
    return this.#recorder;
  }

  async #open(options: OpenWorkspaceOptions): Promise<WorkspaceOpening> {
    const { folder } = this;
    const { dataFolder, env = process.env } = this.#options;
    try {
      if (isWideFolder(folder, env)) return notRecorded('wide-folder', undefined, true);
      const { root } = filesLayout(dataFolder);
      makePrivateFolder(root);
      const found = await findGit(env.PATH, folder, { memory: join(root, 'git.json') });
      if (found.kind === 'missing') return notRecorded('no-git', undefined, true);
      if (found.kind === 'old') return notRecorded('old-git', found.version, true);
      if (found.kind === 'broken') return notRecorded('failed', found.detail, false);
      const place = this.#describeRecording(found.git, env);
      const hasRoom = await hasRoomLately(dataFolder, { maxBytes: this.#options.maxKeptBytes });
      if (!hasRoom) this.#passing ??= mkdtempSync(join(tmpdir(), 'huddle-passing-'));
      const recording = { ...place, passing: this.#passing };
      const recorder = new FolderRecorder(recording);
      const kind = await withinTime(this.#options.firstMs ?? FIRST_MS, options.signal, (signal) =>
        recorder.open({ ...options, signal }),
      );
      for (const place of [folder, recorder.repository.gitFolder]) await removeStagingLeftovers(place);
      this.#recorder = recorder;
      this.#tidying = this.#tidy(recorder.repository.objects);
      this.#copies = new MemberCopies(recording, recorder);
      this.#slow = 0;
      return { kind, ...(!hasRoom && { isKeeping: false }) };
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Kept contents can be read without a look at the folder. */
  async #findRepository(): Promise<OwnRepository | undefined> {
    const { env = process.env } = this.#options;
    const found = await findGit(env.PATH, this.folder);
    if (found.kind !== 'found') return undefined;
    return findOwnRepository(this.#describeRecording(found.git, env), this.folder);
  }

  async #tidy(objects: string): Promise<void> {
    try {
      await removeDrafts(objects);
    } catch (error) {
      this.#options.logger?.warn?.(`leftovers of git stay: ${String(error)}`);
    }
  }

  #describeRecording(git: Git, env: NodeJS.ProcessEnv): FolderRecorderOptions {
    const { maxFileBytes = MOST_FILE_BYTES, dataFolder, conversationId, ownFiles, logger } = this.#options;
    const layout = filesLayout(dataFolder);
    makePrivateFolder(layout.root);
    const globalConfig = join(layout.root, 'gitconfig');
    writeWhole(globalConfig, '[safe]\n\tdirectory = *\n');
    const place = { git, layout, dataFolder, ownFiles, conversationId, globalConfig, env };
    return { ...place, folder: this.folder, maxFileBytes, logger };
  }

  #fail(error: unknown): NotRecordedResult {
    this.#slow = error instanceof TooSlowError ? this.#slow + 1 : 0;
    const result = toNotRecorded(error, this.#slow);
    if (result.isFinal) this.#stopped = result;
    return result;
  }

  /** Does one thing after the other. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
