import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitWorkspace, type WorkspaceOptions } from './GitWorkspace.js';

/** A workspace for a conversation that is not saved: what it records is gone when it is closed. */
export class TemporaryWorkspace extends GitWorkspace {
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
