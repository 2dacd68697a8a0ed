import { HuddleError } from '../../../models/errors.js';
import type { TranscriptEntry } from '../../../transcript/Transcript.js';
import { nearest } from '../../../utils/nearest.js';

/** The place of a message among what was said and done. `5` is short for `msg-5`. @throws {@link HuddleError} `UNKNOWN_MESSAGE`. */
export function placeOfMessage(entries: readonly TranscriptEntry[], word: string): number {
  const messageId = /^\d+$/u.test(word) ? `msg-${word}` : word;
  const ids = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message.id] : []));
  const place = entries.findIndex((entry) => entry.kind === 'message' && entry.message.id === messageId);
  if (place !== -1) return place;
  throw new HuddleError('UNKNOWN_MESSAGE', { messageId, nearest: nearest(messageId, ids) });
}
