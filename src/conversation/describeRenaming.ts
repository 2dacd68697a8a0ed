import type { TitleChanged } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import { utf8Length } from '../utils/bytes.js';

/** Longest title of a conversation, in bytes of UTF-8. */
export const TITLE_BYTES = 120;

/** The fact that a person names a conversation; an empty title takes the name back. Throws TITLE_TOO_LONG. */
export function describeRenaming(title: string): TitleChanged {
  const line = title.replace(/\s+/gu, ' ').trim();
  const bytes = utf8Length(line);
  if (bytes > TITLE_BYTES) throw new HuddleError('TITLE_TOO_LONG', { bytes, maxBytes: TITLE_BYTES });
  return { type: 'title-changed', title: line === '' ? null : line };
}
