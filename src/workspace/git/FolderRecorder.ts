import { existsSync } from 'node:fs';
import type { FileChange } from '../../models/FileChange.js';
import { namePath } from '../bytePaths.js';
import type { RecordedFolder } from '../Workspace.js';
import type { FilesLayout } from './filesLayout.js';
import { makeOwnRepository, type OwnRepository } from './ownRepository.js';
import { writeSettings } from './ownSettings.js';
import { type LineCounts, makePatchText } from './patchText.js';
import { type ByteChange, recordFolder } from './recordFolder.js';
import type { Git } from './runGit.js';
import { findUserRepository } from './userRepository.js';

export interface FolderRecorderOptions {
  readonly git: Git;
  readonly layout: FilesLayout;
  readonly dataFolder: string;
  /** A folder that members work in, with links resolved: the working folder, or a copy. */
  readonly folder: string;
  readonly conversationId: string;
  /** A configuration file under which git looks at repositories of any owner. */
  readonly globalConfig: string;
}

/** The last known state of one folder, for one conversation. */
export class FolderRecorder {
  readonly #options: FolderRecorderOptions;
  #repository: OwnRepository | undefined;

  constructor(options: FolderRecorderOptions) {
    this.#options = options;
  }

  /** Our repository of the folder; there is one as soon as the folder was opened. */
  get repository(): OwnRepository {
    if (this.#repository === undefined) throw new Error('the folder is not open');
    return this.#repository;
  }

  /** Finds the last known state, or makes it from what is there now. */
  async open(signal?: AbortSignal): Promise<'new' | 'known'> {
    const { git, folder, globalConfig, dataFolder } = this.#options;
    const user = await findUserRepository(git, folder, globalConfig, signal);
    const repository = makeOwnRepository({ ...this.#options, user });
    writeSettings(repository, dataFolder);
    this.#repository = repository;
    if (existsSync(repository.index)) return 'known';
    await recordFolder(repository, { signal });
    return 'new';
  }

  /** Writes down what differs from the last known state, which becomes that of now. */
  async record(withPatch: boolean, signal?: AbortSignal): Promise<RecordedFolder> {
    const changes = await recordFolder(this.repository, { signal });
    if (!withPatch || changes.length === 0)
      return { kind: 'recorded', files: changes.map((change) => describe(change)) };
    const { patch, isCut, counts } = await makePatchText(this.repository, changes, { signal });
    return {
      kind: 'recorded',
      files: changes.map((change) => describe(change, counts)),
      patch,
      ...(isCut && { patchIsCut: true }),
    };
  }
}

function describe(change: ByteChange, counts?: ReadonlyMap<string, LineCounts>): FileChange {
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
