import { closingFence, nextFence } from '../../../markdown/fences.js';
import {
  type DiffParagraph,
  isApart,
  type Paragraph,
  type TextParagraph,
} from '../../../presentation/Paragraph.js';
import { isHighSurrogate } from '../../../utils/bytes.js';
import { renderParagraph } from './renderParagraph.js';
import type { Theme } from './theme.js';

interface Piece {
  readonly block: Paragraph;
  readonly hasGap: boolean;
  readonly lineCount: number;
}

const GOOD_PIECE = 2 * 1024;
const LARGEST_PIECE = 4 * 1024;
const LINES_IN_A_PIECE = 200;
/** Taller than any screen: as much is laid out again when the window changes its width. */
const KEPT_LINES = 300;

/** Blocks on their way into the scrollback: laid out a few at a time, remembered only as far as a screen can show. */
export class ScrollbackQueue {
  readonly #theme: Theme;
  #isHeld: (block: Paragraph) => boolean;
  #waiting: Paragraph[] = [];
  #pieces: Iterator<Paragraph> | null = null;
  #last: Paragraph | null = null;
  readonly #recent: Piece[] = [];
  #recentLines = 0;

  /** A block that `isHeld` and those after it stay in the queue until it is not. */
  constructor(theme: Theme, isHeld: (block: Paragraph) => boolean = () => false) {
    this.#theme = theme;
    this.#isHeld = isHeld;
  }

  add(blocks: readonly Paragraph[]): void {
    this.#waiting.push(...blocks);
  }

  get hasMore(): boolean {
    const [next] = this.#waiting;
    return this.#pieces !== null || (next !== undefined && !this.#isHeld(next));
  }

  /** Everything that waits, held or not: nothing is held any more. */
  takeAll(width: number): string[] {
    this.#isHeld = () => false;
    return this.take(width, () => false);
  }

  /** The next lines to print, as many as can be laid out until `isEnough` says stop. */
  take(width: number, isEnough: (lineCount: number) => boolean): string[] {
    const lines: string[] = [];
    do {
      const block = this.#next();
      if (block === undefined) break;
      const hasGap = isApart(this.#last, block);
      const rendered = this.#render({ block, hasGap }, width);
      lines.push(...rendered);
      this.#last = block;
      this.#remember({ block, hasGap, lineCount: rendered.length });
    } while (!isEnough(lines.length));
    return lines;
  }

  /** The end of what was printed, laid out again. */
  layOutAgain(width: number): string[] {
    return this.#recent.flatMap((piece) => this.#render(piece, width));
  }

  #next(): Paragraph | undefined {
    for (;;) {
      const result = this.#pieces?.next();
      if (result !== undefined && !result.done) return result.value;
      const [block] = this.#waiting;
      this.#pieces = null;
      if (block === undefined || this.#isHeld(block)) return undefined;
      this.#waiting.shift();
      this.#pieces = splitParagraph(block);
    }
  }

  #render({ block, hasGap }: Omit<Piece, 'lineCount'>, width: number): string[] {
    const lines = renderParagraph(block, width, this.#theme);
    return hasGap && lines.length > 0 ? ['', ...lines] : lines;
  }

  #remember(piece: Piece): void {
    this.#recent.push(piece);
    this.#recentLines += piece.lineCount;
    for (let first = this.#recent[0]; first !== undefined; first = this.#recent[0]) {
      if (this.#recentLines - first.lineCount < KEPT_LINES) return;
      this.#recentLines -= first.lineCount;
      this.#recent.shift();
    }
  }
}

/** A block in pieces that each take a moment to lay out, however long it is. */
export function* splitParagraph(block: Paragraph): Generator<Paragraph> {
  if (block.kind === 'diff') yield* splitDiff(block);
  else if (block.kind !== 'text') yield block;
  else for (const piece of splitText(block.text)) yield { ...block, ...piece };
}

/** A long change in pieces that each take a moment to lay out; only the first has a title. */
export function* splitDiff(block: DiffParagraph): Generator<DiffParagraph> {
  for (let start = 0; start === 0 || start < block.lines.length; start += LINES_IN_A_PIECE) {
    const lines = block.lines.slice(start, start + LINES_IN_A_PIECE);
    yield { kind: 'diff', title: start === 0 ? block.title : '', lines };
  }
}

/** Some of a longer text, or all of it. A piece of code stands between fences, also where the text has none. */
export type TextPiece = Pick<TextParagraph, 'text' | 'isContinued'>;

/**
 * Markdown in pieces that can be laid out one at a time, however long the whole is: cut at blank lines where it can be,
 * and a code block that is cut is closed and opened again.
 */
export function* splitText(text: string): Generator<TextPiece> {
  if (text.length <= GOOD_PIECE) {
    yield { text };
    return;
  }
  let piece: string[] = [];
  let length = 0;
  let fence: string | null = null;
  let start: Pick<TextPiece, 'isContinued'> = {};
  for (const line of linesOf(text)) {
    const isBreak = fence === null && line.trim() === '';
    if (piece.length > 0 && (length + line.length > LARGEST_PIECE || (isBreak && length >= GOOD_PIECE))) {
      const whole = fence === null ? piece : [...piece, closingFence(fence)];
      yield { text: whole.join('\n'), ...start };
      start = isBreak ? {} : { isContinued: true };
      piece = fence === null ? [] : [fence];
      length = 0;
      if (isBreak) continue;
    }
    fence = nextFence(fence, line);
    piece.push(line);
    length += line.length + 1;
  }
  const last = piece.join('\n');
  if (last !== '') yield { text: last, ...start };
}

/** Lines, the overlong ones in parts. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const cut = Math.min(end, start + GOOD_PIECE);
    const safe = cut < end && isHighSurrogate(text.charCodeAt(cut - 1)) ? cut - 1 : cut;
    yield text.slice(start, safe);
    start = safe === end ? end + 1 : safe;
  }
}
