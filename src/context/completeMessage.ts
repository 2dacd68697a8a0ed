import type {
  ConversationMessage,
  MessageRouting,
  NewMessage,
  Speaker,
  SpeakerType,
} from '../models/ConversationMessage.js';
import type { MessageId } from '../models/ids.js';

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
): ConversationMessage {
  const content = message.content.toWellFormed();
  const speaker = completeSpeaker(message.speaker);
  const timestamp = readTime(message.timestamp, clock);
  const routing = message.routing ? copyRouting(message.routing) : undefined;
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

function completeSpeaker({ roleId, roleName, roleTitle, type }: NewMessage['speaker']): Speaker {
  const id = wellFormed(roleId);
  const name = typeof roleName === 'string' && roleName !== '' ? roleName.toWellFormed() : id;
  const kind = readSpeakerType(type);
  if (roleTitle === undefined) return { roleId: id, roleName: name, type: kind };
  return { roleId: id, roleName: name, roleTitle: wellFormed(roleTitle), type: kind };
}

/** Nobody said means a person; a word we do not know must not pass for one. */
function readSpeakerType(type: SpeakerType | undefined): SpeakerType {
  if (type === undefined) return 'human';
  return type === 'human' || type === 'system' ? type : 'ai';
}

function readTime(timestamp: number | Date | undefined, clock: () => number): number {
  const time = Number(timestamp ?? Number.NaN);
  return Number.isFinite(time) ? time : clock();
}

function copyRouting(routing: MessageRouting): MessageRouting {
  const { resolvedAddressees, claimedFrom } = routing;
  const copy: { resolvedAddressees?: readonly string[]; claimedFrom?: string } = {};
  if (Array.isArray(resolvedAddressees)) copy.resolvedAddressees = resolvedAddressees.map(wellFormed);
  if (claimedFrom !== undefined) copy.claimedFrom = wellFormed(claimedFrom);
  return copy;
}

function wellFormed(text: string): string {
  return String(text).toWellFormed();
}
