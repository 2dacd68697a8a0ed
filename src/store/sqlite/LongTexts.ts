import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { isHighSurrogate } from '../../utils/bytes.js';
import { createBreather } from '../../utils/createBreather.js';
import { replaceStrings } from '../../utils/replaceStrings.js';

/** Shorter texts are written with their event. */
const LONG_TEXT = 64 * 1024;
/** Few enough characters that nobody notices when they are written, enough to make that worth a commit. */
const PIECE_LENGTH = 256 * 1024;

/** How the JSON of an outline begins. That of an event begins otherwise, or the event is written as an outline, too. */
const OUTLINE_START = '{"longTexts":';

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
    const longTexts: Record<string, readonly number[]> = {};
    const takeOut = (_key: string, field: unknown): unknown => {
      const rows = typeof field === 'string' ? this.#rows.get(field) : undefined;
      if (rows === undefined) return field;
      this.#rows.delete(field as string);
      const mark = randomUUID();
      longTexts[mark] = rows;
      return mark;
    };
    const json = JSON.stringify(event, this.#rows.size === 0 ? undefined : takeOut);
    if (Object.keys(longTexts).length === 0 && !json.startsWith(OUTLINE_START)) return json;
    return `${OUTLINE_START}${JSON.stringify(longTexts)},"event":${json}}`;
  }
}

/** The event that was written down. `readPiece` gives what a row holds. */
export function decodeEvent(body: string, readPiece: (row: number) => string): RecordedEvent {
  // Both as we wrote them, says the checksum.
  if (!body.startsWith(OUTLINE_START)) return JSON.parse(body) as RecordedEvent;
  const { longTexts, event } = JSON.parse(body) as Outline;
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
