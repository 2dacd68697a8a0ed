import { decodeUtf8 } from './decodeUtf8.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNICODE_ESCAPE = 0x75;
/** Longer texts are kept beside the outline: to parse them with the rest would take as long as the whole line. */
const LONG_TEXT = 64 * 1024;
/** Enough to tell what a line was that is no JSON. */
const SHOWN_OF_BROKEN = 256;

/**
 * A line of JSON that is too long to be parsed in one go. It is understood piece by piece as it arrives, so that almost
 * nothing is left to do at its end. Means exactly what `JSON.parse` makes of the whole line.
 */
export class LongLine {
  /** The line with a name in the place of every long text. */
  readonly #outline: string[] = [];
  readonly #texts = new Map<string, string>();
  /** What no text of the line can be: the agent does not know it. */
  readonly #secret = crypto.randomUUID();
  /** The string that has begun and not ended. Grows as a rope, which nobody pays for who does not read it. */
  #open: { text: string; readonly isValue: boolean } | null = null;
  /** The beginning of a character, and of an escape sequence, whose ends have not come. */
  #heldBytes: Uint8Array = new Uint8Array();
  #heldText = '';
  #isBroken = false;

  push(bytes: Uint8Array): void {
    const joined = Buffer.concat([this.#heldBytes, bytes]);
    const end = endOfCharacters(joined);
    this.#heldBytes = joined.subarray(end);
    this.#take(joined.subarray(0, end));
  }

  /** The line is over. What comes out is short unless the line is long for another reason than its texts. */
  end(): { readonly outline: string; readonly texts: ReadonlyMap<string, string> } {
    this.#take(Buffer.from(this.#heldBytes));
    const isWhole = !this.#isBroken && this.#open === null;
    const outline = this.#outline.join('');
    return { outline: isWhole ? outline : outline + this.#unclosed(), texts: this.#texts };
  }

  #take(bytes: Buffer): void {
    if (this.#isBroken) return;
    try {
      this.#heldText = this.#read(this.#heldText + decodeUtf8(bytes));
    } catch {
      this.#isBroken = true;
    }
  }

  /** Returns what can only be read together with what comes next. */
  #read(text: string): string {
    let at = 0;
    if (this.#open !== null) {
      const end = endOfString(text, 0);
      this.#open.text += readEscapes(text.slice(0, end));
      if (text.charCodeAt(end) !== QUOTE) return text.slice(end);
      this.#outline.push(this.#nameOf(this.#open));
      this.#open = null;
      at = end + 1;
    }
    const start = at;
    for (let quote = text.indexOf('"', at); quote !== -1; quote = text.indexOf('"', at)) {
      const end = endOfString(text, quote + 1);
      at = end + 1;
      if (text.charCodeAt(end) === QUOTE) continue;
      const before = text.slice(start, quote);
      this.#outline.push(before);
      this.#open = { text: readEscapes(text.slice(quote + 1, end)), isValue: before.trimEnd().endsWith(':') };
      return text.slice(end);
    }
    this.#outline.push(text.slice(start));
    return '';
  }

  /** The beginning of a string without its end: no line that has it is JSON. */
  #unclosed(): string {
    return JSON.stringify(this.#open?.text.slice(0, SHOWN_OF_BROKEN) ?? '').slice(0, -1);
  }

  /** How the outline has a string; a name only where values of objects stand, since nobody looks for one elsewhere. */
  #nameOf({ text, isValue }: { readonly text: string; readonly isValue: boolean }): string {
    if (text.length < LONG_TEXT || !isValue) return JSON.stringify(text);
    const name = `${this.#secret} ${this.#texts.size}`;
    this.#texts.set(name, text);
    return `"${name}"`;
  }
}

/** Where a string that is read from `start` on is closed, or has to be cut: at the end, or before half an escape sequence. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit !== BACKSLASH) continue;
    const escapeEnd = at + (text.charCodeAt(at + 1) === UNICODE_ESCAPE ? 6 : 2);
    if (escapeEnd > text.length) return at;
    at++;
  }
  return text.length;
}

function readEscapes(raw: string): string {
  return JSON.parse(`"${raw}"`) as string;
}

/** Where bytes can be cut without changing what they decode to: not behind the first byte of a longer character. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= bytes.length - 4; at--) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) !== 0x80) return byte < 0x80 ? bytes.length : at;
  }
  return bytes.length;
}
