import { words } from '../../../catalogue/words.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId } from '../../../models/ids.js';
import { quoteForShell } from '../../../utils/quoteForShell.js';
import type { ListedConversation, WireError } from '../wire.js';

/** The reason why a conversation cannot be continued from here, if it cannot. */
export function whyReadOnly(
  listed: ListedConversation,
  describe: (error: unknown) => WireError,
): WireError | undefined {
  const locked = lockOf(listed);
  if (locked !== undefined) return describe(locked);
  const { id, isElsewhere, folder } = listed;
  if (!isElsewhere) return undefined;
  const error = new HuddleError('OTHER_FOLDER', () => words.webLive.otherFolder(id));
  return { ...describe(error), hint: commandThere(id, folder) };
}

/** The error that names the other process which has a conversation open. */
export function lockOf({ id, openIn, holder }: ListedConversation): HuddleError | undefined {
  if (openIn === undefined || holder === undefined) return undefined;
  return new HuddleError('CONVERSATION_LOCKED', { id, ...holder });
}

/** Throws if a conversation is held in another folder, with the command that continues it there. */
export function requireHere({ id, isElsewhere, folder }: ListedConversation): void {
  if (!isElsewhere) return;
  throw new HuddleError('OTHER_FOLDER', () => {
    const { otherFolder, toContinueThere } = words.webLive;
    return toContinueThere(otherFolder(id), commandThere(id, folder));
  });
}

function commandThere(id: ConversationId, folder = '.'): string {
  return `cd ${quoteForShell(folder)} && huddle resume ${id}`;
}
