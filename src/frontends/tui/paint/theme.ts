import type { EditorTheme } from '@earendil-works/pi-tui';
import type { Catalogue } from '../../../catalogue/words.js';
import type { CodeKind, CodeSpan, HighlightCode } from '../../../markdown/highlightCode.js';
import type { ShownMember } from '../../../presentation/Block.js';
import type { Tone } from '../../../presentation/Paragraph.js';
import type { Style } from './StyledText.js';

/** The look of things. Only the sixteen colours of the terminal, so that it looks like the rest of the user's screen. */
export interface Theme {
  /** The language of what is painted. */
  readonly words: Catalogue;
  readonly tones: Readonly<Record<Tone, Style>>;
  /** People have no place and no colour. */
  name(member: ShownMember): Style;
  readonly markdown: MarkdownLook;
  /** For what does not count: the same shapes without colours. */
  readonly quietMarkdown: MarkdownLook;
  readonly editor: EditorTheme;
  /** Without it code has no colours. */
  readonly highlight?: HighlightCode;
}

/** The look of what was said, by what it is. */
export interface MarkdownLook {
  readonly text: Style;
  readonly strong: Style;
  readonly emphasis: Style;
  readonly strike: Style;
  readonly underline: Style;
  readonly code: Style;
  readonly link: Style;
  /** For rules, marks of lists, and the targets of links. */
  readonly frame: Style;
  readonly codeKinds: Readonly<Record<CodeKind, Style>>;
}

/** Cyan, magenta, yellow, green, blue, and their bright ones: by place in the team, so that no one changes colour. Red is for errors. */
const AGENT_COLOURS = [36, 35, 33, 32, 34, 96, 95, 93, 92, 94];

export function createTheme(hasColour: boolean, words: Catalogue, highlight?: HighlightCode): Theme {
  const colour = (code: number): Style => (hasColour ? sgr(code, 39) : unchanged);
  const strong = sgr(1, 22);
  const quiet = sgr(2, 22);
  const agentColours = AGENT_COLOURS.map(colour);
  const cyan = colour(36);
  const shapes: MarkdownLook = {
    text: unchanged,
    strong,
    emphasis: sgr(3, 23),
    strike: sgr(9, 29),
    underline: sgr(4, 24),
    code: unchanged,
    link: unchanged,
    frame: quiet,
    codeKinds: {
      keyword: colour(35),
      string: colour(32),
      number: colour(33),
      comment: quiet,
      title: colour(94),
      type: cyan,
      name: cyan,
      meta: colour(33),
      addition: colour(32),
      deletion: colour(31),
    },
  };
  return {
    words,
    tones: { plain: unchanged, strong, quiet, good: colour(32), warning: colour(33), bad: colour(31) },
    name: ({ place }) => {
      const paint = agentColours[place % agentColours.length] ?? unchanged;
      return (text) => strong(paint(text));
    },
    markdown: { ...shapes, code: cyan, link: cyan },
    quietMarkdown: { ...shapes, text: quiet },
    highlight: hasColour ? highlight : undefined,
    editor: {
      borderColor: quiet,
      selectList: {
        selectedPrefix: cyan,
        selectedText: strong,
        description: quiet,
        scrollInfo: quiet,
        noMatch: quiet,
      },
    },
  };
}

function sgr(open: number, close: number): Style {
  return (text) => `\x1b[${open}m${text}\x1b[${close}m`;
}

function unchanged(text: string): string {
  return text;
}

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
