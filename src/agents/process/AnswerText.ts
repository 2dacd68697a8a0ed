import { truncateToBytes, utf8Length } from '../../utils/bytes.js';
import { wellFormed } from '../../utils/wellFormed.js';
import type { ReaderEvent, TurnEvent } from '../dialect/Dialect.js';

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const BLOCK_SEPARATOR = '\n\n';

/** Texts that arrived one after the other, and how much of them did not fit. */
interface Pieces {
  readonly texts: string[];
  bytes: number;
  cutBytes: number;
}

/** The answer of a turn, folded from its events: settled blocks, and the deltas of the block being written. */
export class AnswerText {
  readonly #maxBytes: number;
  readonly #settled = emptyPieces();
  #pending = emptyPieces();

  constructor(maxBytes = DEFAULT_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Gives back the event to tell: in the place of an end of deltas the block that they are. */
  add(event: ReaderEvent): TurnEvent {
    if (event.type === 'text-end') return { type: 'text', text: this.#settle() };
    if (event.type === 'text' || event.type === 'text-reset') this.#pending = emptyPieces();
    if (event.type === 'text') this.#append(this.#settled, event.text);
    if (event.type === 'text-delta') this.#append(this.#pending, event.text);
    return event;
  }

  /** The whole answer: the settled blocks, or the deltas where the agent settles none. */
  get text(): string {
    return this.#settled.texts.length > 0 ? render(this.#settled.texts, this.#settled.cutBytes) : this.draft;
  }

  /** All that has arrived, settled or not. */
  get draft(): string {
    const blocks = [...this.#settled.texts, this.#pending.texts.join('')];
    return render(blocks, this.#settled.cutBytes + this.#pending.cutBytes);
  }

  #settle(): string {
    const text = this.#pending.texts.join('');
    if (text !== '') this.#settled.texts.push(text);
    this.#settled.bytes += this.#pending.bytes;
    this.#settled.cutBytes += this.#pending.cutBytes;
    this.#pending = emptyPieces();
    return text;
  }

  /** After the first cut nothing more is taken: an answer with holes would read as a whole one. */
  #append(pieces: Pieces, text: string): void {
    const isCut = this.#settled.cutBytes + this.#pending.cutBytes > 0;
    const room = isCut ? 0 : this.#maxBytes - this.#settled.bytes - this.#pending.bytes;
    const bytes = utf8Length(text);
    const kept = bytes <= room ? text : truncateToBytes(text, room);
    const keptBytes = kept === text ? bytes : utf8Length(kept);
    if (kept !== '') pieces.texts.push(kept);
    pieces.bytes += keptBytes;
    pieces.cutBytes += bytes - keptBytes;
  }
}

function emptyPieces(): Pieces {
  return { texts: [], bytes: 0, cutBytes: 0 };
}

function render(blocks: readonly string[], cutBytes: number): string {
  const text = wellFormed(blocks.filter((block) => block !== '').join(BLOCK_SEPARATOR));
  return cutBytes === 0 ? text : `${text}\n[… ${cutBytes} bytes cut]`;
}
