import { closingFence, nextFence } from '../../../markdown/fences.js';
import { isHighSurrogate } from '../../../utils/bytes.js';

const GOOD_PIECE = 2 * 1024;
const LARGEST_PIECE = 4 * 1024;

/** Some of a longer text, or all of it. A piece of code stands between fences, also where the text has none. */
export interface TextPiece {
  readonly text: string;
  /** It continues the piece before: there was no blank line to cut at. */
  readonly isContinued?: true;
}

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
