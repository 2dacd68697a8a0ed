/** A part of a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds the places of one word in a text from left to right; all look-ups together cost one pass over the text. */
export class ForwardFinder {
  readonly #text: string;
  readonly #needle: string;
  #found = -1;

  constructor(text: string, needle: string) {
    this.#text = text;
    this.#needle = needle;
  }

  /** The first place at or after a position, the length of the text when there is none. Positions must not go back. */
  find(from: number): number {
    if (this.#found < from) {
      const index = this.#text.indexOf(this.#needle, from);
      this.#found = index === -1 ? this.#text.length : index;
    }
    return this.#found;
  }
}

/** Looks spans up from left to right, at the same cost. They must be sorted and free of overlaps. */
export class ForwardSpans {
  readonly #spans: readonly Span[];
  #index = 0;

  constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  /** The first span that ends behind a position. Positions must not go back. */
  after(position: number): Span | undefined {
    while (this.#index < this.#spans.length && (this.#spans[this.#index] as Span).end <= position)
      this.#index++;
    return this.#spans[this.#index];
  }

  /** The span that holds a position. Positions must not go back. */
  holding(position: number): Span | undefined {
    const span = this.after(position);
    return span !== undefined && span.start <= position ? span : undefined;
  }
}

export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
export const BACKSLASH = 0x5c;
export const BACKTICK = 0x60;
export const LESS_THAN = 0x3c;

/** Spaces and tabs: the white space that lies inside a line. */
export function isSpaceOrTab(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** The first index in `start..end` that is neither space nor tab, or `end`. */
export function skipBlanks(text: string, start: number, end: number): number {
  let position = start;
  while (position < end && isSpaceOrTab(text.charCodeAt(position))) position++;
  return position;
}

/** The index behind the run of equal characters that begins at `start`. */
export function skipRun(text: string, start: number, end: number): number {
  const code = text.charCodeAt(start);
  let position = start + 1;
  while (position < end && text.charCodeAt(position) === code) position++;
  return position;
}
