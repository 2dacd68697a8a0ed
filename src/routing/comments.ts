import { forwardFinder } from './forward.js';

export const COMMENT_START = '<!--';
const COMMENT_END = '-->';

/** From the start of a comment to where its end may begin: `<!-->` and `<!--->` are whole comments. */
export const COMMENT_END_OFFSET = '<!'.length;

/** The index behind the first end of a comment at or after a position; positions must not go back. */
export function commentEndFinder(text: string): (from: number) => number {
  const find = forwardFinder(text, COMMENT_END);
  return (from) => find(from) + COMMENT_END.length;
}
