import { isHighSurrogate } from './bytes.js';

/** Small pieces are put together from this many on. */
const MOST_PIECES = 256;

/**
 * A text that grows by small pieces and is taken from its beginning. It costs little more than its characters: a string that is
 * appended to again and again keeps an object for each piece.
 */
export class GatheredText {
  #whole: string[] = [];
  #small: string[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    if (text === '') return;
    this.#length += text.length;
    this.#small.push(text);
    if (this.#small.length < MOST_PIECES) return;
    this.#whole.push(this.#small.join(''));
    this.#small = [];
  }

  /** The text, which stays. */
  get text(): string {
    const text = [...this.#whole, ...this.#small].join('');
    this.#whole = text === '' ? [] : [text];
    this.#small = [];
    return text;
  }

  /** Takes the beginning away: at most so many characters, at least one. Cuts no character in two. */
  take(most: number): string {
    const taken: string[] = [];
    let room = Math.max(2, most);
    while (room > 0) {
      const piece = this.#whole.shift() ?? this.#takeSmall();
      if (piece === undefined) break;
      const end = piece.length <= room ? piece.length : endOfCharacter(piece, room);
      taken.push(piece.slice(0, end));
      if (end < piece.length) this.#whole.unshift(piece.slice(end));
      room = end < piece.length ? 0 : room - end;
    }
    const text = taken.join('');
    this.#length -= text.length;
    return text;
  }

  clear(): void {
    this.#whole = [];
    this.#small = [];
    this.#length = 0;
  }

  #takeSmall(): string | undefined {
    if (this.#small.length === 0) return undefined;
    const piece = this.#small.join('');
    this.#small = [];
    return piece;
  }
}

function endOfCharacter(text: string, end: number): number {
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}
