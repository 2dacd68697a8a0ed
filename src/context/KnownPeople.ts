import type { MessageRouting, NewMessage, Speaker, SpeakerType } from '../models/ConversationMessage.js';

/**
 * Cache of speakers and recipients. They are few and messages many, so each speaker and each list
 * of addressees is made once and shared, frozen.
 */
export class KnownPeople {
  readonly #speakers = new Map<string, Speaker>();
  /** The latest routing to each first addressee. */
  readonly #routings = new Map<string, MessageRouting>();

  /** The speaker of a message with what is missing filled in. */
  completeSpeaker(given: NewMessage['speaker']): Speaker {
    const known = this.#speakers.get(given.roleId);
    if (known !== undefined && isSameSpeaker(known, given)) return known;
    const speaker = Object.freeze(completeSpeaker(given));
    this.#speakers.set(speaker.roleId, speaker);
    return speaker;
  }

  /** The routing of a message, well-formed. */
  completeRouting(given: MessageRouting): MessageRouting {
    const first = Array.isArray(given.resolvedAddressees) ? given.resolvedAddressees[0] : undefined;
    const known = first === undefined ? undefined : this.#routings.get(first);
    if (known !== undefined && isSameRouting(known, given)) return known;
    const routing = copyRouting(given);
    if (first !== undefined) this.#routings.set(first, routing);
    return routing;
  }
}

function isSameSpeaker(known: Speaker, { roleName, roleTitle, type }: NewMessage['speaker']): boolean {
  return known.roleName === roleName && known.roleTitle === roleTitle && known.type === type;
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

function isSameRouting(
  known: MessageRouting,
  { resolvedAddressees = [], claimedFrom }: MessageRouting,
): boolean {
  const { resolvedAddressees: addressees = [] } = known;
  if (known.claimedFrom !== claimedFrom || addressees.length !== resolvedAddressees.length) return false;
  return addressees.every((name, index) => name === resolvedAddressees[index]);
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
