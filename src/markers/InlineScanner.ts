import { BACKSLASH, BACKTICK, ForwardFinder, LESS_THAN, type Span, skipRun } from './forward.js';

export const COMMENT_START = '<!--';
const COMMENT_END = '-->';

/** From the start of a comment to where its end may begin: `<!-->` and `<!--->` are whole comments. */
export const COMMENT_END_OFFSET = '<!'.length;

export class CommentEnds {
  readonly #finder: ForwardFinder;

  constructor(text: string) {
    this.#finder = new ForwardFinder(text, COMMENT_END);
  }

  /** The index behind the first end of a comment at or after a position; positions must not go back. */
  find(from: number): number {
    return this.#finder.find(from) + COMMENT_END.length;
  }
}

/** Finds code spans and comments inside leaf blocks, which must be handed over from left to right. */
export class InlineScanner {
  readonly spans: Span[] = [];
  readonly #text: string;
  readonly #commentEnds: CommentEnds;
  readonly #backticks: ForwardFinder;
  readonly #lessThans: ForwardFinder;
  /** Start of the last backtick run of each length, by length; what lies behind the reader is in the current leaf. */
  readonly #lastRuns: number[] = [];

  constructor(text: string, commentEnds: CommentEnds) {
    this.#text = text;
    this.#commentEnds = commentEnds;
    this.#backticks = new ForwardFinder(text, '`');
    this.#lessThans = new ForwardFinder(text, '<');
  }

  scan(start: number, end: number): void {
    if (this.#backticks.find(start) >= end && this.#lessThans.find(start) >= end) return;
    let runsKnown = false;
    let position = start;
    while (position < end) {
      switch (this.#text.charCodeAt(position)) {
        case BACKSLASH:
          position += 2;
          break;
        case BACKTICK:
          if (!runsKnown) this.#recordRuns(position, end);
          runsKnown = true;
          position = this.#readCodeSpan(position, end);
          break;
        case LESS_THAN:
          position = this.#readComment(position, end);
          break;
        default:
          position++;
      }
    }
  }

  #recordRuns(start: number, end: number): void {
    for (let run = start; run !== -1 && run < end; ) {
      const runEnd = skipRun(this.#text, run, end);
      this.#lastRuns[runEnd - run] = run;
      run = this.#text.indexOf('`', runEnd);
    }
  }

  /** A closing run is searched only when there is one, so no character is searched twice. */
  #readCodeSpan(start: number, end: number): number {
    const openEnd = skipRun(this.#text, start, end);
    const length = openEnd - start;
    if ((this.#lastRuns[length] ?? start) <= start) return openEnd;
    let run = openEnd;
    let runEnd = openEnd;
    do {
      run = this.#text.indexOf('`', runEnd);
      runEnd = skipRun(this.#text, run, end);
    } while (runEnd - run !== length);
    this.spans.push({ start, end: runEnd });
    return runEnd;
  }

  #readComment(start: number, end: number): number {
    if (!this.#text.startsWith(COMMENT_START, start)) return start + 1;
    const commentEnd = this.#commentEnds.find(start + COMMENT_END_OFFSET);
    if (commentEnd > end) return start + 1;
    this.spans.push({ start, end: commentEnd });
    return commentEnd;
  }
}
