import type { SpeakerType } from '../models/ConversationMessage.js';
import { isBlank } from '../utils/isBlank.js';
import { type Marker, scanMarkers } from './markers.js';
import { readTyped } from './typedMarkers.js';

/** Behind what a text began with: the rest of its line if nothing is on it, and blank lines, but no indentation. */
const GAP = /^(?:\s*\n|\s+)/u;

/**
 * A text without the markers it begins and ends with, for readers who are told separately what they did. One
 * in the middle of a sentence stays, and so does everything else but white space at the end.
 */
export function stripOuterMarkers(
  text: string,
  kinds: readonly Marker['kind'][],
  speakerType: SpeakerType = 'ai',
): string {
  const markers = scanMarkers(readTyped(text, speakerType)).markers.filter(({ kind }) =>
    kinds.includes(kind),
  );
  let start = 0;
  for (const marker of markers) {
    if (!isBlank(text.slice(start, marker.start))) break;
    start = marker.end;
  }
  let end = text.length;
  for (const marker of markers.toReversed()) {
    if (marker.start < start || !isBlank(text.slice(marker.end, end))) break;
    end = marker.start;
  }
  const rest = text.slice(start, end).trimEnd();
  return start === 0 ? rest : rest.replace(GAP, '');
}
