import { createBreather } from '../../utils/createBreather.js';

/** Shorter texts are written as fast as they are prepared. */
const LONG_TEXT = 64 * 1024;

/** Left free before and behind an encoded text, for the rest of the value that it stands in. */
const MARGIN = 4096;

/** Long texts as JSON in UTF-8, made bit by bit before they are written: most of the work that writing them takes. */
export class EncodedTexts {
  /** Each with its margins. */
  readonly #known = new Map<string, Buffer>();
  /** Stands for a text where no text of anybody can be mistaken for it. */
  readonly #mark = crypto.randomUUID();

  async prepare(text: string): Promise<void> {
    if (text.length < LONG_TEXT) return;
    const breathe = createBreather();
    const pieces: Buffer[] = [];
    for (const slice of slicesOf(text)) {
      pieces.push(Buffer.from(JSON.stringify(slice).slice(1, -1)));
      await breathe();
    }
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const encoded = Buffer.allocUnsafeSlow(MARGIN + length + MARGIN);
    let end = MARGIN;
    for (const piece of pieces) {
      end += piece.copy(encoded, end);
      await breathe();
    }
    this.#known.set(text, encoded);
  }

  /** A value as `JSON.stringify` has it. Texts that were prepared are taken, and known no longer. */
  stringify(value: unknown): string | Uint8Array {
    if (this.#known.size === 0) return JSON.stringify(value);
    const taken: Buffer[] = [];
    const outline = JSON.stringify(value, (_key, field: unknown) => {
      const encoded = typeof field === 'string' ? this.#known.get(field) : undefined;
      if (encoded === undefined) return field;
      this.#known.delete(field as string);
      taken.push(encoded);
      return this.#mark;
    });
    const [first = '', ...others] = outline.split(this.#mark);
    let json: string | Buffer = first;
    for (const [index, part] of others.entries()) json = join(json, taken[index] as Buffer, part);
    return json;
  }
}

/** Two parts with an encoded text between them; in its own memory where they fit into its margins. */
function join(before: string | Buffer, encoded: Buffer, after: string): Buffer {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  if (head.length > MARGIN || tail.length > MARGIN)
    return Buffer.concat([head, encoded.subarray(MARGIN, -MARGIN), tail]);
  const [start, end] = [MARGIN - head.length, encoded.length - MARGIN];
  head.copy(encoded, start);
  tail.copy(encoded, end);
  return encoded.subarray(start, end + tail.length);
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
