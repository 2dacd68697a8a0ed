import { createBreather } from '../../utils/createBreather.js';

/** Shorter texts are written as fast as they are prepared. */
const LONG_TEXT = 64 * 1024;

/** Long texts as JSON in UTF-8, made bit by bit before they are written: most of the work that writing them takes. */
export class EncodedTexts {
  readonly #known = new Map<string, readonly Uint8Array[]>();
  /** Stands for a text where no text of anybody can be mistaken for it. */
  readonly #mark = crypto.randomUUID();

  async prepare(text: string): Promise<void> {
    if (text.length < LONG_TEXT) return;
    const breathe = createBreather();
    const pieces: Uint8Array[] = [];
    for (const slice of slicesOf(text)) {
      pieces.push(Buffer.from(JSON.stringify(slice).slice(1, -1)));
      await breathe();
    }
    this.#known.set(text, pieces);
  }

  /** A value as `JSON.stringify` has it. Texts that were prepared are taken, and known no longer. */
  stringify(value: unknown): string | Uint8Array {
    if (this.#known.size === 0) return JSON.stringify(value);
    const taken: (readonly Uint8Array[])[] = [];
    const outline = JSON.stringify(value, (_key, field: unknown) => {
      const pieces = typeof field === 'string' ? this.#known.get(field) : undefined;
      if (pieces === undefined) return field;
      this.#known.delete(field as string);
      return this.#mark + (taken.push(pieces) - 1);
    });
    if (taken.length === 0) return outline;
    // Every second part is the number of a text, between the quotation marks of its mark.
    const parts = outline.split(new RegExp(`(?<=")${this.#mark}(\\d+)(?=")`));
    return Buffer.concat(
      parts.flatMap((part, index) => (index % 2 === 0 ? Buffer.from(part) : (taken[Number(part)] ?? []))),
    );
  }
}

/** A text in order and in parts, none of which begins or ends with half a surrogate pair that the text has whole. */
function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + LONG_TEXT;
    const isPairCut = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    yield text.slice(start, isPairCut ? end + 1 : end);
    start = isPairCut ? end + 1 : end;
  }
}
