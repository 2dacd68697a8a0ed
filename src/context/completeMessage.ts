import type { ConversationMessage, NewMessage } from '../models/ConversationMessage.js';
import type { MessageId } from '../models/ids.js';
import type { KnownPeople } from './KnownPeople.js';

/** The four documented checks; everything else is filled in or repaired. */
export function requireMessage(message: NewMessage | null | undefined): asserts message is NewMessage {
  if (!message) throw new TypeError('Message cannot be null or undefined');
  if (typeof message.content !== 'string') throw new TypeError('Message content must be a string');
  if (!message.speaker) throw new TypeError('Message speaker is required');
  if (!message.speaker.roleId) throw new TypeError('Message speaker.roleId is required');
}

/** A message as it is kept: one id, complete, well-formed Unicode, sharing nothing that a caller could change. */
export function completeMessage(
  message: NewMessage,
  id: MessageId,
  clock: () => number,
  people: KnownPeople,
): ConversationMessage {
  const content = message.content.toWellFormed();
  const speaker = people.completeSpeaker(message.speaker);
  const timestamp = readTime(message.timestamp, clock);
  const routing = message.routing ? people.completeRouting(message.routing) : undefined;
  // Copying with `...` costs a hundred times as much as writing the fields down, so it is for those who bring more.
  if (hasFurtherFields(message))
    return { ...message, id, content, speaker, timestamp, ...(routing && { routing }) };
  if (routing === undefined) return { id, content, speaker, timestamp };
  return { id, content, speaker, timestamp, routing };
}

function hasFurtherFields(message: NewMessage): boolean {
  for (const key in message) {
    if (key !== 'content' && key !== 'speaker' && key !== 'timestamp' && key !== 'routing' && key !== 'id')
      return true;
  }
  return false;
}

function readTime(timestamp: number | Date | undefined, clock: () => number): number {
  const time = Number(timestamp ?? Number.NaN);
  return Number.isFinite(time) ? time : clock();
}
