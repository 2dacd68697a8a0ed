import { words } from '../../catalogue/words.js';
import type { FileAction } from '../../coordinator/files/describeFileAction.js';

/** The sentence that says what was done, and how to take it back. */
export function formatFileDone({ action, what, files, id = '' }: FileAction, prefix: string): string {
  const count = files.filter((file) => file.action !== 'none').length;
  const { undone, applied } = words.files;
  return (action === 'undo' ? undone : applied)(what, count, `${prefix}undo ${id}`);
}
