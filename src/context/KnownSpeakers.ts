import type { NewMessage, Speaker, SpeakerType } from '../models/ConversationMessage.js';

/** Everybody who has spoken in a conversation. Speakers are few and messages many, so each is made once and shared. */
export class KnownSpeakers {
  readonly #byId = new Map<string, Speaker>();
  readonly #names = new Set<string>();

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** The speaker of a message with what is missing filled in. */
  complete(given: NewMessage['speaker']): Speaker {
    const known = this.#byId.get(given.roleId);
    if (known !== undefined && isSame(known, given)) return known;
    const speaker = Object.freeze(completeSpeaker(given));
    this.#byId.set(speaker.roleId, speaker);
    this.#names.add(speaker.roleName);
    return speaker;
  }
}

function isSame(known: Speaker, { roleName, roleTitle, type }: NewMessage['speaker']): boolean {
  return known.roleName === roleName && known.roleTitle === roleTitle && known.type === type;
}

function completeSpeaker({ roleId, roleName, roleTitle, type }: NewMessage['speaker']): Speaker {
  const id = String(roleId).toWellFormed();
  const name = typeof roleName === 'string' && roleName !== '' ? roleName.toWellFormed() : id;
  const title = roleTitle === undefined ? {} : { roleTitle: String(roleTitle).toWellFormed() };
  return { roleId: id, roleName: name, ...title, type: readSpeakerType(type) };
}

/** Nobody said means a person; a word we do not know must not pass for one. */
function readSpeakerType(type: SpeakerType | undefined): SpeakerType {
  if (type === undefined) return 'human';
  return type === 'human' || type === 'system' ? type : 'ai';
}
