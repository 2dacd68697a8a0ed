import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitWorkspace, type WorkspaceOptions } from './GitWorkspace.js';
import type { Workspace } from './Workspace.js';
import { noWorkspace } from './whyNotRecorded.js';

interface OpenableWorkspace extends Omit<WorkspaceOptions, 'dataFolder'> {
  /** Absent: what is recorded is gone when the workspace is closed. */
  readonly dataFolder?: string | undefined;
}

/** A workspace for a conversation in a folder. Nothing is looked at before `open`. */
export function openWorkspace({ dataFolder, ...options }: OpenableWorkspace): Workspace {
  try {
    if (dataFolder === undefined) return new TemporaryWorkspace(options);
    return new GitWorkspace({ ...options, dataFolder });
  } catch (error) {
    // The folder is not there, or nothing can be written at all.
    const detail = error instanceof Error ? error.message : String(error);
    return noWorkspace(options.folder, { kind: 'not-recorded', reason: 'failed', detail, isFinal: true });
  }
}

/** A workspace for a conversation that is not saved: what it records is gone when it is closed. */
class TemporaryWorkspace extends GitWorkspace {
  readonly #dataFolder: string;

  constructor(options: Omit<WorkspaceOptions, 'dataFolder'>) {
    const dataFolder = mkdtempSync(join(tmpdir(), 'huddle-files-'));
    super({ ...options, dataFolder });
    this.#dataFolder = dataFolder;
  }

  override async close(): Promise<void> {
    await super.close();
    await rm(this.#dataFolder, { recursive: true, force: true });
  }
}
