import type { RecordedEvent } from '../../models/ConversationEvent.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

/** A message in a list. */
export interface ListedMessage {
  readonly id: string;
  readonly name: string;
  /** Its beginning, on one line. */
  readonly text: string;
}

const LONGEST_TEXT = 60;

/** The latest messages of a log, the newest first. */
export async function listMessages(
  events: AnyIterable<RecordedEvent>,
  most: number,
): Promise<readonly ListedMessage[]> {
  const latest: ListedMessage[] = [];
  for await (const event of events) {
    if (event.type !== 'message-added') continue;
    const { id, speaker, content } = event.message;
    const text = sanitizeToOneLine(content.slice(0, LONGEST_TEXT * 4));
    latest.push({ id, name: speaker.roleName, text: cut(text) });
    if (latest.length > most) latest.shift();
  }
  return latest.reverse();
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}
