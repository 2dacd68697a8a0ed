import { ForwardFinder } from './forward.js';

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
