import type { CodeSpan, HighlightCode } from '../markdown/highlightCode.js';

/** More code than people read on one page. */
const MOST_CHARACTERS = 1024 * 1024;
/** Code that people write takes a third of this, all that may be coloured; code made to be slow stops here. */
const MOST_MILLISECONDS = 3000;

/** The colours of one page: what comes after very much code, or after code that took too long, is plain. */
export class PageColours {
  readonly #highlight: HighlightCode;
  readonly #now: () => number;
  #characters = 0;
  #milliseconds = 0;

  /** `now` in milliseconds. */
  constructor(highlight: HighlightCode, now: () => number = () => performance.now()) {
    this.#highlight = highlight;
    this.#now = now;
  }

  highlight(text: string, language: string): readonly CodeSpan[] | undefined {
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS || this.#milliseconds > MOST_MILLISECONDS) return undefined;
    const start = this.#now();
    const spans = this.#highlight(text, language);
    this.#milliseconds += this.#now() - start;
    return spans;
  }
}
