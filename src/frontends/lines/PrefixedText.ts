import { splitIntoWords } from '../../utils/splitIntoWords.js';
import { widthOf } from '../../utils/widthOf.js';

const SMALLEST_ROOM = 8;

/** A stream, and where it is a terminal how wide that is. */
export type PrintStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

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
  /** The beginning of a word, or of blanks, whose end has yet to come. */
  #held = '';

  constructor({ prefix, columns, isBegun = false }: PrefixedTextOptions) {
    this.#prefix = prefix;
    this.#edge =
      columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns, prefix.length + SMALLEST_ROOM);
    this.#column = isBegun ? prefix.length : 0;
  }

  /** More of the text. On a terminal its last word is held back: whether it has room on this line is known at its end. */
  take(text: string): string {
    if (this.#edge === Number.POSITIVE_INFINITY) return this.#writeParts(text.split(/(\n)/u));
    const parts = splitIntoWords(this.#held + text);
    const last = parts.at(-1) ?? '';
    this.#held = last === '\n' || last.length >= this.#edge ? '' : last;
    return this.#writeParts(this.#held === '' ? parts : parts.slice(0, -1));
  }

  /** Returns what was held back. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return this.#writeParts([held]);
  }

  /** A text that has come as a whole. */
  takeAll(text: string): string {
    return this.take(text) + this.end();
  }

  #writeParts(parts: readonly string[]): string {
    let written = '';
    for (const part of parts) {
      if (part === '\n') this.#column = 0;
      else if (part !== '' && this.#column === 0) written += this.#begin();
      written += part === '\n' ? part : this.#fit(part);
    }
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

/** Before everything that was said: at the left edge stands who says it, and no member can write there. */
export const INDENT = '  ';

/** Lines as they are; what has no room on one of them continues further in. */
export function hang(lines: string, stream: PrintStream): string {
  const columns = edgeOf(stream);
  const hangOne = (line: string): string =>
    new PrefixedText({ prefix: INDENT, columns, isBegun: true }).takeAll(line);
  return lines.split('\n').map(hangOne).join('\n');
}

/** Some terminals do not know how wide they are, and say 0. */
export function edgeOf({ isTTY, columns }: PrintStream): number | undefined {
  return isTTY && columns ? columns : undefined;
}
