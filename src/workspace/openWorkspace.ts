import { GitWorkspace, type WorkspaceOptions } from './GitWorkspace.js';
import type { Workspace } from './Workspace.js';

/** A workspace for a conversation in a folder. Nothing is looked at before `open`. */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  return new GitWorkspace(options);
}
