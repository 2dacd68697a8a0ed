import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationReader } from '../../store/Store.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

/** Whether Huddle itself failed, which the log of a conversation may be the reason for. */
export function isOurFault(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

/**
 * Finds out why a stored conversation made Huddle fail: its log may hold an event that Huddle does not write, of another
 * version or from elsewhere. Returns the error itself if there is none.
 */
export async function explainUnreadable(error: unknown, reader: ConversationReader): Promise<unknown> {
  if (!isOurFault(error)) return error;
  // Loaded only now: it takes longer than most commands.
  const { checkEvent } = await import('../../store/eventSchema.js');
  let seq = 0;
  for await (const event of reader.read()) {
    seq++;
    const { fault } = checkEvent(event);
    if (fault === undefined) continue;
    const at = seq;
    const sentence = () =>
      words.sessions.unreadable(reader.id, at, sanitizeToOneLine(words.eventFault(fault)));
    return new HuddleError('STORE_DAMAGED', sentence, { cause: error });
  }
  return error;
}
