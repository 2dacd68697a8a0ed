import type { BracketRules } from './brackets.js';
import { BACKSLASH } from './characters.js';
import { ForwardSpans, type Span } from './forward.js';
import type { InertBlock, InertText } from './inertText.js';

const LINE_BREAK_BEFORE_BLANK_LINE = /\n(?=[ \t]*\r?(?:\n|$))/g;

/** A bracket acts when both its ends are plain text and no code block, quote or comment block lies between. */
export class LiveText implements BracketRules {
  readonly #text: string;
  readonly #blocks: ForwardSpans;
  readonly #inlineAtStarts: ForwardSpans;
  readonly #inlineAtEnds: ForwardSpans;
  readonly #blankLines: BlankLines;

  constructor(text: string, { blocks, inline }: InertText) {
    this.#text = text;
    this.#blocks = new ForwardSpans(blocks);
    this.#inlineAtStarts = new ForwardSpans(inline);
    this.#inlineAtEnds = new ForwardSpans(inline);
    this.#blankLines = new BlankLines(text, blocks);
  }

  accepts({ start, end }: Span): boolean {
    if (isEscaped(this.#text, start)) return false;
    const block = this.#blocks.after(start);
    if (block !== undefined && block.start < end) return false;
    return (
      this.#inlineAtStarts.holding(start) === undefined && this.#inlineAtEnds.holding(end - 1) === undefined
    );
  }

  limitFrom(from: number): number {
    return this.#blankLines.find(from);
  }
}

/** Accepts the brackets in fences: markers that would act without them. */
export class FencedText implements BracketRules {
  readonly #text: string;
  readonly #fencesAtStarts: ForwardSpans;
  readonly #fencesAtTexts: ForwardSpans;
  readonly #blankLines: BlankLines;

  constructor(text: string, fences: readonly InertBlock[]) {
    this.#text = text;
    this.#fencesAtStarts = new ForwardSpans(fences);
    this.#fencesAtTexts = new ForwardSpans(fences);
    this.#blankLines = new BlankLines(text, []);
  }

  accepts({ start, end }: Span): boolean {
    const fence = this.#fencesAtStarts.holding(start);
    return fence !== undefined && end <= fence.end && !isEscaped(this.#text, start);
  }

  limitFrom(from: number): number {
    return Math.min(
      this.#blankLines.find(from),
      this.#fencesAtTexts.after(from - 1)?.end ?? this.#text.length,
    );
  }
}

/** The blank lines of a text; those inside fenced code and comments do not count. */
class BlankLines {
  readonly #text: string;
  readonly #blocks: readonly InertBlock[];
  /** Made when it is first needed: most texts set no task. */
  #enclosing: ForwardSpans | undefined;
  readonly #lineBreak = new RegExp(LINE_BREAK_BEFORE_BLANK_LINE);
  #found = -1;

  constructor(text: string, blocks: readonly InertBlock[]) {
    this.#text = text;
    this.#blocks = blocks;
  }

  /** Start of the first one after a position, or the length of the text. Positions must not go back. */
  find(from: number): number {
    if (this.#found >= from) return this.#found;
    this.#enclosing ??= new ForwardSpans(
      this.#blocks.filter(({ kind }) => kind !== 'indented' && kind !== 'quote'),
    );
    this.#lineBreak.lastIndex = from;
    for (let match = this.#lineBreak.exec(this.#text); match; match = this.#lineBreak.exec(this.#text)) {
      this.#found = match.index;
      const block = this.#enclosing.holding(this.#found);
      if (block === undefined) return this.#found;
      this.#lineBreak.lastIndex = block.end;
    }
    this.#found = this.#text.length;
    return this.#found;
  }
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(position - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
