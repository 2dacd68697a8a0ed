import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { isHighSurrogate } from '../../utils/bytes.js';
import { createBreather } from '../../utils/createBreather.js';
import { replaceStrings } from '../../utils/replaceStrings.js';

/** Shorter texts are written with their event. */
const LONG_TEXT = 64 * 1024;
/** Few enough characters that nobody notices when they are written, enough to make that worth a commit. */
const PIECE_LENGTH = 256 * 1024;

/** An event without its long texts: a mark stands for each, and the rows say where it is. */
interface Outline {
  readonly longTexts: Readonly<Record<string, readonly number[]>>;
  readonly event: RecordedEvent;
}

/**
 * Writes long texts ahead of their events, piece by piece in rows of their own, so that the event itself is always
 * written in a moment. A text whose event never comes is in no event, and goes with the conversation.
 */
export class LongTexts {
  /** The rows of the texts that are written and not yet in an event. */
  readonly #rows = new Map<string, readonly number[]>();
  readonly #writePiece: (body: string) => number | null;

  /** `writePiece` gives the number of the row it wrote, or null when none can be written now. */
  constructor(writePiece: (body: string) => number | null) {
    this.#writePiece = writePiece;
  }

  /** A text that cannot be written ahead is left to whoever writes the event, and so is what is wrong. */
  async write(text: string): Promise<void> {
    if (text.length < LONG_TEXT) return;
    const breathe = createBreather();
    const rows: number[] = [];
    for (const piece of piecesOf(text)) {
      const row = this.#writePiece(JSON.stringify(piece));
      if (row === null) return;
      rows.push(row);
      await breathe();
    }
    this.#rows.set(text, rows);
  }

  /** An event as it is written down; the texts of it that are written already are taken, and known no longer. */
  encode(event: RecordedEvent): string {
    if (this.#rows.size === 0) return JSON.stringify(event);
    const longTexts: Record<string, readonly number[]> = {};
    const json = JSON.stringify(event, (_key, field: unknown) => {
      const rows = typeof field === 'string' ? this.#rows.get(field) : undefined;
      if (rows === undefined) return field;
      this.#rows.delete(field as string);
      const mark = randomUUID();
      longTexts[mark] = rows;
      return mark;
    });
    if (Object.keys(longTexts).length === 0) return json;
    return `{"longTexts":${JSON.stringify(longTexts)},"event":${json}}`;
  }
}

/** The event that was written down. `readPiece` gives what a row holds. */
export function decodeEvent(body: string, readPiece: (row: number) => string): RecordedEvent {
  const written = JSON.parse(body) as RecordedEvent | Outline; // As we wrote it, says the checksum.
  if (!('longTexts' in written)) return written;
  const { longTexts, event } = written;
  const readText = (rows: readonly number[]) =>
    rows.map((row) => JSON.parse(readPiece(row)) as string).join('');
  return replaceStrings(event, (text) =>
    Object.hasOwn(longTexts, text) ? readText(longTexts[text] ?? []) : text,
  ) as RecordedEvent;
}

/** A text in order and in parts, none of which begins or ends with half a surrogate pair that the text has whole. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_LENGTH;
    const isPairCut = isHighSurrogate(text.charCodeAt(end - 1));
    yield text.slice(start, isPairCut ? end + 1 : end);
    start = isPairCut ? end + 1 : end;
  }
}
