import { HELD_ANSWER_BYTES, HELD_END_BYTES } from '../../models/answerLimits.js';
import { lastBytes, truncateToBytes, utf8Length } from '../../utils/bytes.js';

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
