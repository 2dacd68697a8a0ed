import { CARRIAGE_RETURN, isSpaceOrTab, LINE_FEED, type Span, skipBlanks } from './forward.js';

/** Small enough that the pieces die young, large enough that joining them pays. */
const PIECES_PER_CHUNK = 512;

/**
 * A text without some spans, which must come in order and not overlap. Outside them only the white space next
 * to a span changes: a line that holds nothing else goes with its line break, at the ends of a line nothing
 * stays, in mid-line one space stays where there was any. Spans with nothing but spaces and tabs between them
 * leave one gap, not several.
 */
export class SpanRemover {
  readonly #text: string;
  readonly #result = new TextBuilder();
  /** Everything before this is in the result or gone. */
  #done = 0;
  /** The span that may yet grow. */
  #start = -1;
  #end = -1;

  constructor(text: string) {
    this.#text = text;
  }

  remove(start: number, end: number): void {
    const isNeighbour = this.#end !== -1 && skipBlanks(this.#text, this.#end, start) === start;
    if (!isNeighbour) {
      this.#settle();
      this.#start = start;
    }
    this.#end = end;
  }

  /** The remaining text. */
  finish(): string {
    this.#settle();
    this.#result.append(this.#text.slice(this.#done));
    return this.#result.toString();
  }

  #settle(): void {
    if (this.#end === -1) return;
    const { start, end, filler } = widen(this.#text, { start: this.#start, end: this.#end });
    if (start > this.#done) this.#result.append(this.#text.slice(this.#done, start));
    if (filler !== '') this.#result.append(filler);
    this.#done = end;
    this.#end = -1;
  }
}

/** The span with the white space that goes too, and what stands in its place. */
function widen(text: string, span: Span): Span & { readonly filler: '' | ' ' } {
  const start = skipBlanksBack(text, span.start);
  const end = skipBlanks(text, span.end, text.length);
  const afterLineBreak = skipLineBreak(text, end);
  const startsLine = start === 0 || text.charCodeAt(start - 1) === LINE_FEED;
  const endsLine = end === text.length || afterLineBreak > end;
  if (startsLine && endsLine) return { start, end: afterLineBreak, filler: '' };
  const hasGap = start < span.start || span.end < end;
  return { start, end, filler: hasGap && !startsLine && !endsLine ? ' ' : '' };
}

function skipBlanksBack(text: string, end: number): number {
  let position = end;
  while (position > 0 && isSpaceOrTab(text.charCodeAt(position - 1))) position--;
  return position;
}

function skipLineBreak(text: string, position: number): number {
  const lineFeed = text.charCodeAt(position) === CARRIAGE_RETURN ? position + 1 : position;
  return text.charCodeAt(lineFeed) === LINE_FEED ? lineFeed + 1 : position;
}

/** Makes one text of very many pieces. A rope of them would keep the collector busy with every piece until the end. */
class TextBuilder {
  #pieces: string[] = [];
  readonly #chunks: string[] = [];

  append(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length === PIECES_PER_CHUNK) this.#settle();
  }

  toString(): string {
    this.#settle();
    return this.#chunks.join('');
  }

  #settle(): void {
    this.#chunks.push(this.#pieces.join(''));
    this.#pieces = [];
  }
}
