import { isApart, type Paragraph } from '../screen/Paragraph.js';
import { renderParagraph, splitParagraph } from './renderParagraph.js';
import type { Theme } from './theme.js';

interface Piece {
  readonly block: Paragraph;
  readonly hasGap: boolean;
  readonly lineCount: number;
}

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
