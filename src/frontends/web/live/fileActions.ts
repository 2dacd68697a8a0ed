import { words } from '../../../catalogue/words.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { FileAction } from '../../../coordinator/files/describeFileAction.js';
import { HuddleError } from '../../../models/errors.js';
import { formatFileDone, formatFilePlan } from '../../print/formatFileAction.js';
import type { ActionDone } from '../wire.js';

const MOST_FILES = 200;
const PREFIX = 'huddle ';

export interface FilesRequest {
  readonly do: 'undo' | 'apply';
  readonly what?: string | undefined;
  readonly isDryRun: boolean;
  readonly as?: string | undefined;
}

/** Undoes or applies what turns changed; or only tells what that would do. */
export async function actOnFiles(conversation: Conversation, request: FilesRequest): Promise<ActionDone> {
  const action = await perform(conversation, request);
  if (!request.isDryRun) return { done: formatFileDone(action, PREFIX) };
  const whole = `${PREFIX}${request.do} ${action.of[0]} --dry-run`;
  return { plan: formatFilePlan(action, MOST_FILES, whole) };
}

function perform(
  conversation: Conversation,
  { do: action, what, isDryRun: dryRun, as }: FilesRequest,
): Promise<FileAction> {
  const options = { dryRun, as, prefix: PREFIX };
  if (action === 'undo') return conversation.undo(what, options);
  if (what === undefined) throw new HuddleError('UNKNOWN_CHANGE', words.webLive.applyWhat);
  return conversation.apply(what, options);
}
