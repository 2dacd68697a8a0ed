import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChange, NotRecorded } from '../models/FileChange.js';
import type { Logger } from '../utils/logger.js';
import { makePrivateFolder } from '../utils/privatePaths.js';
import { pathOf } from './bytePaths.js';
import { carryFiles } from './carryFiles.js';
import { FolderRecorder } from './git/FolderRecorder.js';
import { filesLayout } from './git/filesLayout.js';
import { findGit } from './git/findGit.js';
import { writeWhole } from './git/ownRepository.js';
import { makePatchText } from './git/patchText.js';
import { GitError } from './git/runGit.js';
import { markTurn } from './marks.js';
import { noWorkspace } from './noWorkspace.js';
import { prepareCarry } from './prepareCarry.js';
import { removeStagingLeftovers } from './stagingFolder.js';
import type {
  CarryPlan,
  CarryRequest,
  FolderRecord,
  NotRecordedResult,
  OpenWorkspaceOptions,
  PatchOptions,
  PatchText,
  RecordOptions,
  TurnMark,
  Workspace,
  WorkspaceOpening,
} from './Workspace.js';

export interface WorkspaceOptions {
  readonly folder: string;
  readonly dataFolder: string;
  readonly conversationId: string;
  /** Contents of larger files are not kept. */
  readonly maxFileBytes?: number;
  readonly logger?: Logger;
  readonly env?: NodeJS.ProcessEnv;
}

/** A workspace that records with the user's git, into repositories of its own in the data folder. */
export class GitWorkspace implements Workspace {
  readonly folder: string;
  readonly #options: WorkspaceOptions;
  #opening: Promise<WorkspaceOpening> | undefined;
  #recorder: FolderRecorder | undefined;
  /** The last thing asked for: one git at a time writes an index. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WorkspaceOptions) {
    this.#options = options;
    this.folder = realpathSync.native(options.folder);
  }

  open(options: OpenWorkspaceOptions = {}): Promise<WorkspaceOpening> {
    this.#opening ??= this.#inTurn(() => this.#open(options));
    return this.#opening;
  }

  async record({ withPatch = false }: RecordOptions = {}): Promise<FolderRecord> {
    const opening = await this.open();
    if (opening.kind === 'not-recorded') return opening;
    return this.#inTurn(async () => {
      try {
        return await this.#openRecorder.record(withPatch);
      } catch (error) {
        return describeFailure(error);
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

  /** Marks a turn also where nothing is recorded: the other process may record. */
  async mark(turn: string): Promise<TurnMark> {
    const { dataFolder, logger } = this.#options;
    try {
      return await markTurn({ marks: filesLayout(dataFolder).marks, folder: this.folder }, turn);
    } catch (error) {
      logger?.warn?.(`no mark for ${turn}: ${String(error)}`);
      return this.#nothing.mark(turn);
    }
  }

  async close(): Promise<void> {
    await this.#last;
  }

  get #nothing(): Workspace {
    return noWorkspace(this.folder, { kind: 'not-recorded', reason: 'failed', isFinal: true });
  }

  get #openRecorder(): FolderRecorder {
    if (this.#recorder === undefined) throw new Error('the workspace is not open');
    return this.#recorder;
  }

  async #open({ signal }: OpenWorkspaceOptions): Promise<WorkspaceOpening> {
    const { dataFolder, conversationId, env = process.env } = this.#options;
    try {
      const found = await findGit(env.PATH, this.folder);
      if (found.kind === 'missing') return stopRecording('no-git');
      if (found.kind === 'old') return stopRecording('old-git', found.version);
      const layout = filesLayout(dataFolder);
      makePrivateFolder(layout.root);
      const globalConfig = join(layout.root, 'gitconfig');
      writeWhole(globalConfig, '[safe]\n\tdirectory = *\n');
      const { folder } = this;
      const recorder = new FolderRecorder({
        git: found.git,
        layout,
        dataFolder,
        folder,
        conversationId,
        globalConfig,
      });
      const kind = await recorder.open(signal);
      for (const place of [folder, recorder.repository.gitFolder]) await removeStagingLeftovers(place);
      this.#recorder = recorder;
      return { kind };
    } catch (error) {
      return describeFailure(error);
    }
  }

  /** Does one thing after the other. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function stopRecording(reason: NotRecorded, detail?: string): NotRecordedResult {
  return { kind: 'not-recorded', reason, ...(detail && { detail }), isFinal: true };
}

function describeFailure(error: unknown): NotRecordedResult {
  const detail = error instanceof GitError ? error.detail : String(error);
  const reason = error instanceof GitError ? error.reason : 'failed';
  return { kind: 'not-recorded', reason, detail, isFinal: false };
}
