import { createRewriter } from './unsafeCharacters.js';

const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = '\u2421';

const rewrite = createRewriter(pictureOf);

/** Text that is not ours, made harmless for a terminal or a page: what is unsafe is shown (`␛]52;…`, `<U+202E>`), nothing is dropped. */
export function sanitizeForTerminal(text: string): string {
  return rewrite(text);
}

/** The same on one line: line ends and tabs become spaces. */
export function sanitizeToOneLine(text: string): string {
  return sanitizeForTerminal(text.replace(/\s+/gu, ' ').trim());
}

/** A name, every character of it: what would end the line or look like other blanks is shown (`␊`, `␉`). */
export function sanitizeFileName(name: string): string {
  return sanitizeForTerminal(name.replaceAll('\n', '\u240a').replaceAll('\t', '\u2409'));
}

/** Whether such a character is part of a word or an emoji is known when the next one has come. */
const UNDECIDED_AT_END = /(?:\u200c|\u200d|\ufe0e|\ufe0f)$/u;
/** A picture and its style are before a joiner. */
const UNITS_LOOKED_BACK = 4;

/** The same for text that comes in pieces: as if it had come at once, whatever the pieces. */
export class SanitizedPieces {
  #before = '';
  #held = '';

  take(piece: string): string {
    const text = this.#before + this.#held + piece;
    return this.#release(text, UNDECIDED_AT_END.test(text) ? text.length - 1 : text.length);
  }

  /** Returns what was held back; the next piece begins another text. */
  end(): string {
    const rest = this.#release(this.#before + this.#held);
    this.#before = '';
    return rest;
  }

  #release(text: string, end = text.length): string {
    const released = rewrite(text, this.#before.length, end);
    this.#before = text.slice(Math.max(0, end - UNITS_LOOKED_BACK), end);
    this.#held = text.slice(end);
    return released;
  }
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  if (code === DELETE) return DELETE_PICTURE;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
