import { words } from '../../catalogue/words.js';
import type { FileAction } from '../../coordinator/files/describeFileAction.js';
import { describeLeft } from '../../presentation/describeFileRecord.js';

/** Says what was done, and how to take it back; and, on a line of its own, what was left alone. */
export function formatFileDone(
  { action, what, files, left = [], id = '' }: FileAction,
  prefix: string,
): string {
  const count = files.filter((file) => file.action !== 'none').length;
  const { undone, applied } = words.files;
  const done = (action === 'undo' ? undone : applied)(what, count, `${prefix}undo ${id}`);
  return left.length === 0 ? done : `${done}\n${describeLeft(left)}`;
}
