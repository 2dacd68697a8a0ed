import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChange } from '../models/FileChange.js';
import type { Logger } from '../utils/logger.js';
import { makePrivateFolder } from '../utils/privatePaths.js';
import { pathOf } from './bytePaths.js';
import { carryFiles } from './carryFiles.js';
import { FolderRecorder } from './git/FolderRecorder.js';
import { filesLayout } from './git/filesLayout.js';
import { findGit } from './git/findGit.js';
import { writeWhole } from './git/ownRepository.js';
import { makePatchText } from './git/patchText.js';
import type { Git } from './git/runGit.js';
import { noWorkspace } from './noWorkspace.js';
import { prepareCarry } from './prepareCarry.js';
import type {
  CarryPlan,
  CarryRequest,
  FolderRecord,
  NotRecordedResult,
  OpenWorkspaceOptions,
  PatchOptions,
  PatchText,
  RecordOptions,
  Workspace,
  WorkspaceOpening,
} from './Workspace.js';
import { describeFailure, isWideFolder, notRecorded, TooSlowError, withinTime } from './whyNotRecorded.js';

export interface WorkspaceOptions {
  readonly folder: string;
  readonly dataFolder: string;
  readonly conversationId: string;
  /** Contents of larger files are not kept. */
  readonly maxFileBytes?: number;
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
  /** The reason for which nothing is recorded any more. */
  #stopped: NotRecordedResult | undefined;
  /** How often in a row there was not enough time. */
  #slow = 0;
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

  async record({ withPatch = false }: RecordOptions = {}): Promise<FolderRecord> {
    const opening = await this.open();
    if (opening.kind === 'not-recorded') return opening;
    return this.#inTurn(async () => {
      if (this.#stopped !== undefined) return this.#stopped;
      try {
        const record = await withinTime(RECORD_MS, undefined, (signal) =>
          this.#openRecorder.record({ withPatch, signal }),
        );
        this.#slow = 0;
        return record;
      } catch (error) {
        return this.#fail(error);
      }
    });
  }

  async patch(files: readonly FileChange[], options: PatchOptions = {}): Promise<PatchText> {
    await this.open();
    if (this.#recorder === undefined) return { patch: '', isCut: false };
    const changes = files.map((file) => ({
      path: pathOf(file),
      ...(file.before && { before: file.before }),
      ...(file.after && { after: file.after }),
      ...(file.isKept === false && { isKept: file.isKept }),
    }));
    const { patch, isCut } = await makePatchText(this.#openRecorder.repository, changes, options);
    return { patch, isCut };
  }

  async plan(request: CarryRequest): Promise<CarryPlan> {
    const opening = await this.open();
    if (opening.kind === 'not-recorded') return noWorkspace(this.folder, opening).plan(request);
    const { copyOf, steps } = request;
    const files = await this.#inTurn(() => prepareCarry(this.#openRecorder.repository, steps));
    return { copyOf, files };
  }

  async carry({ files }: CarryPlan): Promise<void> {
    await this.open();
    await this.#inTurn(() => carryFiles(this.#openRecorder.repository, files));
  }

  copyFor: Workspace['copyFor'] = (request) => this.#nothing.copyFor(request);
  mark: Workspace['mark'] = (turn) => this.#nothing.mark(turn);

  async close(): Promise<void> {
    await this.#last;
    this.#recorder?.trySettling();
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
      if (isWideFolder(folder, dataFolder, env)) return notRecorded('wide-folder', undefined, true);
      const found = await findGit(env.PATH, folder);
      if (found.kind === 'missing') return notRecorded('no-git', undefined, true);
      if (found.kind === 'old') return notRecorded('old-git', found.version, true);
      const recorder = this.#makeRecorder(found.git, folder);
      const kind = await withinTime(FIRST_MS, options.signal, (signal) =>
        recorder.open({ ...options, signal }),
      );
      this.#recorder = recorder;
      this.#slow = 0;
      return { kind };
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** A recorder of the working folder, or of a copy. */
  #makeRecorder(git: Git, folder: string): FolderRecorder {
    const {
      maxFileBytes = MOST_FILE_BYTES,
      env = process.env,
      dataFolder,
      conversationId,
      logger,
    } = this.#options;
    const layout = filesLayout(dataFolder);
    makePrivateFolder(layout.root);
    const globalConfig = join(layout.root, 'gitconfig');
    writeWhole(globalConfig, '[safe]\n\tdirectory = *\n');
    const place = { git, layout, dataFolder, conversationId, globalConfig, env };
    return new FolderRecorder({ ...place, folder, maxFileBytes, logger });
  }

  #fail(error: unknown): NotRecordedResult {
    this.#slow = error instanceof TooSlowError ? this.#slow + 1 : 0;
    const result = describeFailure(error, this.#slow);
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
