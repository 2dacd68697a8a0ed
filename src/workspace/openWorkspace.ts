import { GitWorkspace, type WorkspaceOptions } from './GitWorkspace.js';
import { noWorkspace } from './noWorkspace.js';
import { TemporaryWorkspace } from './TemporaryWorkspace.js';
import type { Workspace } from './Workspace.js';

export interface OpenableWorkspace extends Omit<WorkspaceOptions, 'dataFolder'> {
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
