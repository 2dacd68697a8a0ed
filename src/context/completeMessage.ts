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

const FIELDS: ReadonlySet<string> = new Set(['id', 'content', 'speaker', 'timestamp', 'routing']);

/** A message as it is kept: one id, complete, well-formed Unicode, sharing nothing that a caller could change. */
export function completeMessage(
  message: NewMessage,
  id: MessageId,
  clock: () => number,
): ConversationMessage {
  const { content, speaker, timestamp, routing } = message;
  const complete: ConversationMessage = {
    id,
    content: content.toWellFormed(),
    speaker: Object.freeze(completeSpeaker(speaker)),
    timestamp: readTime(timestamp, clock),
    ...(routing && { routing: copyRouting(routing) }),
  };
  for (const key in message)
    if (!FIELDS.has(key)) Object.assign(complete, { [key]: message[key as keyof NewMessage] });
  return complete;
}

function completeSpeaker({ roleId, roleName, roleTitle, type }: NewMessage['speaker']): Speaker {
  const id = wellFormed(roleId);
  const name = typeof roleName === 'string' && roleName !== '' ? roleName.toWellFormed() : id;
  const title = roleTitle === undefined ? {} : { roleTitle: wellFormed(roleTitle) };
  return { roleId: id, roleName: name, ...title, type: readSpeakerType(type) };
}

/** Reads a speaker type. Absent means a person; an unknown word must not pass for one. */
function readSpeakerType(type: SpeakerType | undefined): SpeakerType {
  if (type === undefined) return 'human';
  return type === 'human' || type === 'system' ? type : 'ai';
}

function copyRouting({ resolvedAddressees, claimedFrom }: MessageRouting): MessageRouting {
  return Object.freeze({
    ...(Array.isArray(resolvedAddressees) && {
      resolvedAddressees: Object.freeze(resolvedAddressees.map(wellFormed)),
    }),
    ...(claimedFrom !== undefined && { claimedFrom: wellFormed(claimedFrom) }),
  });
}

function wellFormed(text: string): string {
  return String(text).toWellFormed();
}

function readTime(timestamp: number | Date | undefined, clock: () => number): number {
  const time = Number(timestamp ?? Number.NaN);
  return Number.isFinite(time) ? time : clock();
}
