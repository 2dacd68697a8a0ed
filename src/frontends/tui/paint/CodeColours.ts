import type { CodeSpan, HighlightCode } from '../../../markdown/highlightCode.js';

const CODE_WITH_LANGUAGE = /^[ \t>*+\-\d.]*(?:`{3,}|~{3,})[ \t]*\w/mu;
/** Text that grows is laid out again and again with the same code in it. */
const MOST_REMEMBERED = 8;

/** Colours for code, loaded when there is the first code to show. Until then, and if that fails, code is plain. */
export class CodeColours {
  readonly #onLoaded: () => void;
  #highlight: HighlightCode | undefined;
  #isAsked = false;
  #isLoading = false;
  readonly #known = new Map<string, readonly CodeSpan[] | undefined>();

  constructor(onLoaded: () => void) {
    this.#onLoaded = onLoaded;
  }

  /** Whether a text has code whose colours are being loaded: what is printed stays as it is, so it is worth waiting. */
  isAwaitedBy(text: string): boolean {
    if (this.#highlight !== undefined || !CODE_WITH_LANGUAGE.test(text)) return false;
    this.#load();
    return this.#isLoading;
  }

  readonly highlight: HighlightCode = (text, language) => {
    if (language === '') return undefined;
    this.#load();
    if (this.#highlight === undefined) return undefined;
    const key = `${language}\n${text}`;
    const known = this.#known.get(key);
    const spans = known ?? this.#highlight(text, language);
    this.#known.delete(key);
    this.#known.set(key, spans);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_REMEMBERED) break;
      this.#known.delete(oldest);
    }
    return spans;
  };

  #load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#isLoading = true;
    const end = (): void => {
      this.#isLoading = false;
      this.#onLoaded();
    };
    import('../../../markdown/highlightCode.js').then(
      ({ highlightCode }) => {
        this.#highlight = highlightCode;
        end();
      },
      // A conversation does not end for want of colours.
      end,
    );
  }
}
