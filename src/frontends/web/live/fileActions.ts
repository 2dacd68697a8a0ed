import { words } from '../../../catalogue/words.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { FileAction } from '../../../coordinator/files/describeFileAction.js';
import { HuddleError } from '../../../models/errors.js';
import type { ActionDone } from '../wire.js';

/** An answer lists so many files at most. */
const MOST_FILES = 1000;
const PREFIX = 'huddle ';

export interface FilesRequest {
  readonly do: 'undo' | 'apply';
  readonly what?: string | undefined;
  readonly isDryRun: boolean;
  readonly as?: string | undefined;
}

/** Undoes or applies what turns changed; or only tells what that would do. */
export async function actOnFiles(conversation: Conversation, request: FilesRequest): Promise<ActionDone> {
  const { files, ...action } = await perform(conversation, request);
  return { files: { ...action, files: files.slice(0, MOST_FILES), total: files.length } };
}

function perform(
  conversation: Conversation,
  { do: action, what, isDryRun: dryRun, as }: FilesRequest,
): Promise<FileAction> {
  const options = { dryRun, as, prefix: PREFIX };
  if (action === 'undo') return conversation.undo(what, options);
  if (what === undefined) throw new HuddleError('UNKNOWN_CHANGE', () => words.webLive.applyWhat);
  return conversation.apply(what, options);
}
