import { widthOf } from '../../utils/widthOf.js';

const SMALLEST_ROOM = 8;

export interface PrefixedTextOptions {
  /** The beginning of every line with something in it. */
  readonly prefix: string;
  /** The edge of the terminal, behind which it would continue at the left by itself. */
  readonly columns?: number | undefined;
  /** The first line has been begun elsewhere. */
  readonly isBegun?: boolean;
}

/**
 * Text that comes in pieces, every line behind the same prefix, so that nothing in it can stand at the left edge: there
 * stands only who speaks. Lines that a terminal would wrap are broken here, for the same reason.
 */
export class PrefixedText {
  readonly #prefix: string;
  readonly #edge: number;
  /** The width of the line so far; at 0 its prefix is missing. */
  #column: number;

  constructor({ prefix, columns, isBegun = false }: PrefixedTextOptions) {
    this.#prefix = prefix;
    this.#edge =
      columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns, prefix.length + SMALLEST_ROOM);
    this.#column = isBegun ? prefix.length : 0;
  }

  take(text: string): string {
    const [first = '', ...others] = text.split('\n');
    const lines = [this.#write(first)];
    for (const line of others) {
      this.#column = 0;
      lines.push(this.#write(line));
    }
    return lines.join('\n');
  }

  #write(text: string): string {
    if (text === '') return '';
    const start = this.#column === 0 ? this.#begin() : '';
    if (this.#edge === Number.POSITIVE_INFINITY) {
      this.#column = this.#prefix.length + 1;
      return start + text;
    }
    let written = start;
    for (const [word] of text.matchAll(/\s+|\S+/gu)) written += this.#fit(word);
    return written;
  }

  /** A word goes to the next line as a whole where it has room there; blanks end the line. */
  #fit(word: string): string {
    const width = widthOf(word);
    if (this.#column + width <= this.#edge) {
      this.#column += width;
      return word;
    }
    if (/^\s/u.test(word)) return `\n${this.#begin()}`;
    const start = this.#column > this.#prefix.length ? `\n${this.#begin()}` : '';
    return this.#column + width <= this.#edge ? start + this.#fit(word) : start + this.#break(word);
  }

  #break(word: string): string {
    let written = '';
    for (const character of word) {
      const width = widthOf(character);
      if (this.#column + width > this.#edge) written += `\n${this.#begin()}`;
      written += character;
      this.#column += width;
    }
    return written;
  }

  #begin(): string {
    this.#column = this.#prefix.length;
    return this.#prefix;
  }
}
