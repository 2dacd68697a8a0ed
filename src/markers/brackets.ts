import { BACKSLASH, ForwardFinder, ForwardSpans, type Span } from './forward.js';
import type { InertBlock, InertText } from './inertText.js';

/** A keyword in brackets and its text. A task block (`[TEAM_TASK]` …) has its text behind the brackets, all others inside. */
export interface Bracket {
  readonly kind: BracketKind;
  readonly start: number;
  end: number;
  readonly textStart: number;
  textEnd: number;
  readonly isTaskBlock: boolean;
}

export type BracketKind = 'next' | 'from' | 'team-task';

/** Decides which brackets of a text count, and how far a task block may reach. Asked from left to right. */
export interface BracketRules {
  accepts(bracket: Span): boolean;
  /** Latest end of a text that starts at `from`. */
  limitFrom(from: number): number;
}

/** Longer ones, from `[` to `]`, are no markers: the closing bracket was forgotten. */
const MAX_LENGTH = 4096;
const OPENING = /[[［](?:TEAM_TASK[\]］]|(?:NEXT|FROM|TEAM_TASK)[:：])/gi;
const ANY_OPENING = new RegExp(OPENING, 'i');

/** Earliest place of the first one, so that no search starts before it; -1 for the many texts without any. */
export function findFirstBracket(text: string): number {
  return text.search(ANY_OPENING);
}

/** Places where brackets may be, known long before it is known which of them count. Asked from left to right. */
export class BracketPlaces {
  readonly #text: string;
  readonly #opening = new RegExp(OPENING);
  #next: number;

  constructor(text: string, first: number) {
    this.#text = text;
    this.#next = first;
  }

  /** Whether a bracket may begin or end in a part of the text. */
  mayTouch({ start, end }: Span): boolean {
    const from = Math.max(0, start - MAX_LENGTH);
    if (this.#next < from) {
      this.#opening.lastIndex = from;
      this.#next = this.#opening.exec(this.#text)?.index ?? this.#text.length;
    }
    return this.#next < end;
  }
}

/** Reads the brackets that count one after the other and keeps none, so that a text full of them costs no more than its length. */
export class BracketReader {
  readonly #text: string;
  readonly #rules: BracketRules;
  readonly #opening = new RegExp(OPENING);
  readonly #narrowEnds: ForwardFinder;
  readonly #wideEnds: ForwardFinder;
  /** A task block reaches to the next bracket at most, so each waits for the next to be found. */
  #waiting: Bracket | undefined;

  constructor(text: string, rules: BracketRules, first: number) {
    this.#text = text;
    this.#rules = rules;
    this.#opening.lastIndex = first;
    this.#narrowEnds = new ForwardFinder(text, ']');
    this.#wideEnds = new ForwardFinder(text, '］');
    this.#waiting = this.#find();
  }

  next(): Bracket | undefined {
    const bracket = this.#waiting;
    if (bracket === undefined) return undefined;
    this.#waiting = this.#find();
    if (bracket.isTaskBlock) this.#extendTaskBlock(bracket, this.#waiting?.start ?? this.#text.length);
    return bracket;
  }

  #find(): Bracket | undefined {
    const opening = this.#opening;
    while (opening.test(this.#text)) {
      const bracket = this.#read(opening.lastIndex);
      if (bracket === undefined || !this.#rules.accepts(bracket)) continue;
      opening.lastIndex = bracket.end;
      return bracket;
    }
    return undefined;
  }

  /** `openingEnd`: behind the colon, or behind the closing bracket of a task block's `[TEAM_TASK]`. */
  #read(openingEnd: number): Bracket | undefined {
    const keyword = KEYWORD_BY_LAST_LETTER[this.#text.charAt(openingEnd - 2)];
    if (keyword === undefined) return undefined;
    const { kind } = keyword;
    const start = openingEnd - keyword.length - '[:'.length;
    if (isClosing(this.#text.charAt(openingEnd - 1))) {
      return { kind, start, end: openingEnd, textStart: openingEnd, textEnd: openingEnd, isTaskBlock: true };
    }
    const textEnd = Math.min(this.#narrowEnds.find(openingEnd), this.#wideEnds.find(openingEnd));
    const end = textEnd + 1;
    if (textEnd === this.#text.length || end - start > MAX_LENGTH) return undefined;
    if (kind === 'from' && textEnd === openingEnd) return undefined;
    return { kind, start, end, textStart: openingEnd, textEnd, isTaskBlock: false };
  }

  /** White space at the end of a block is not part of it. */
  #extendTaskBlock(block: Bracket, next: number): void {
    if (next === block.textStart) return;
    const limit = Math.min(next, this.#rules.limitFrom(block.textStart));
    block.end = block.textStart + this.#text.slice(block.textStart, limit).trimEnd().length;
    block.textEnd = block.end;
  }
}

/** The last letters tell the keywords apart, in both cases. */
const KEYWORD_BY_LAST_LETTER: Readonly<Record<string, { kind: BracketKind; length: number }>> = {
  T: { kind: 'next', length: 'NEXT'.length },
  t: { kind: 'next', length: 'NEXT'.length },
  M: { kind: 'from', length: 'FROM'.length },
  m: { kind: 'from', length: 'FROM'.length },
  K: { kind: 'team-task', length: 'TEAM_TASK'.length },
  k: { kind: 'team-task', length: 'TEAM_TASK'.length },
};

function isClosing(character: string): boolean {
  return character === ']' || character === '］';
}

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
