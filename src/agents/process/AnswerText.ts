import { HELD_ANSWER_BYTES, HELD_END_BYTES } from '../../models/textLimits.js';
import { lastBytes, truncateToBytes, utf8Length } from '../../utils/bytes.js';
import type { ReaderEvent, TurnEvent } from '../dialect/Dialect.js';

const BLOCK_SEPARATOR = '\n\n';

/** The answer of a turn, folded from its events: settled blocks, and the deltas of the block being written. */
export class AnswerText {
  readonly #settled: HeldText;
  #pending: HeldText;

  constructor(settled = new HeldText()) {
    this.#settled = settled;
    this.#pending = this.#createPending();
  }

  /** Gives back the event to tell: in the place of an end of deltas the block that they are. */
  add(event: ReaderEvent): TurnEvent {
    if (event.type === 'text-delta') this.#pending.append(event.text);
    if (event.type === 'text' || event.type === 'text-reset') this.#pending = this.#createPending();
    if (event.type === 'text') this.#pending.append(event.text);
    const told: TurnEvent = event.type === 'text-end' ? { type: 'text', text: this.#pending.text } : event;
    if (told.type === 'text') this.#settle();
    return told;
  }

  /** The whole answer: the settled blocks, or the deltas where the agent settles none. */
  get text(): string {
    return this.#settled.isEmpty ? this.draft : this.#settled.text;
  }

  /** All that has arrived, settled or not. */
  get draft(): string {
    const blocks = [this.#settled.text, this.#pending.text];
    return blocks.filter((block) => block !== '').join(BLOCK_SEPARATOR);
  }

  #settle(): void {
    if (!this.#pending.isEmpty && !this.#settled.isEmpty) this.#settled.append(BLOCK_SEPARATOR);
    this.#settled.absorb(this.#pending);
    this.#pending = this.#createPending();
  }

  #createPending(): HeldText {
    return this.#settled.fork(this.#settled.isEmpty ? 0 : BLOCK_SEPARATOR.length);
  }
}

/** Text of any length in bounded memory: its beginning, and when that is full the end of what comes after it. */
export class HeldText {
  readonly #endBytes: number;
  readonly #beginning: string[] = [];
  #beginningBytes = 0;
  /** The bytes that the beginning can still take. */
  #room: number;
  #end = '';
  /** The length of everything that was appended. */
  #bytes = 0;

  constructor(beginningBytes = HELD_ANSWER_BYTES - HELD_END_BYTES, endBytes = HELD_END_BYTES) {
    this.#room = beginningBytes;
    this.#endBytes = endBytes;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** The text that is held, with a mark where something is missing. */
  get text(): string {
    const end = lastBytes(this.#end, this.#endBytes);
    const lostBytes = this.#bytes - this.#beginningBytes - utf8Length(end);
    const mark =
      lostBytes > 0 ? `\n\n[… ${lostBytes} bytes cut here and not saved: the answer is too long]\n\n` : '';
    return `${this.#beginning.join('')}${mark}${end}`.toWellFormed();
  }

  append(text: string): void {
    const bytes = utf8Length(text);
    const isWhole = bytes <= this.#room;
    const kept = isWhole ? text : truncateToBytes(text, this.#room);
    if (kept !== '') this.#beginning.push(kept);
    this.#beginningBytes += isWhole ? bytes : utf8Length(kept);
    this.#room = isWhole ? this.#room - bytes : 0;
    this.#bytes += bytes;
    this.#end += text.slice(kept.length);
    if (this.#end.length > 2 * this.#endBytes) this.#end = this.#end.slice(-this.#endBytes);
  }

  /** An empty text with the room that is left here but for so much. */
  fork(reservedBytes: number): HeldText {
    return new HeldText(Math.max(0, this.#room - reservedBytes), this.#endBytes);
  }

  /** Appends what a fork holds, and counts what it lost. */
  absorb(fork: HeldText): void {
    const bytes = this.#bytes + fork.#bytes;
    for (const text of [...fork.#beginning, fork.#end]) this.append(text);
    this.#bytes = bytes;
  }
}
