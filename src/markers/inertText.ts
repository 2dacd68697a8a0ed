import { CARRIAGE_RETURN, isSpaceOrTab, type Span, skipBlanks, skipRun, TAB } from './forward.js';
import { COMMENT_END_OFFSET, COMMENT_START, CommentEnds, InlineScanner } from './InlineScanner.js';

type InertKind = 'fence' | 'unclosed-fence' | 'indented' | 'quote' | 'comment';

export interface InertBlock extends Span {
  readonly kind: InertKind;
}

/** The parts of a message that are shown, not acted upon. Both lists are sorted and free of overlaps. */
export interface InertText {
  readonly blocks: readonly InertBlock[];
  /** Code spans and comments inside the paragraphs and headings that were looked into. */
  readonly inline: readonly Span[];
}

/**
 * Code, quotes and comments of a Markdown text, found by CommonMark's rules of block structure in linear time.
 * Two departures: only lines that themselves start with `>` are quoted, and text behind the end of a comment is text.
 * `looksInto`: asked for every paragraph and heading, from left to right; looking into them is most of the work.
 */
export function findInertText(text: string, looksInto: (leaf: Span) => boolean): InertText {
  return new BlockScanner(text, looksInto).scan();
}

/** From this indentation on a line is code, unless it continues a paragraph. */
const CODE_INDENT = 4;
const TAB_STOP = 4;
const MIN_FENCE_LENGTH = 3;
const MIN_BREAK_LENGTH = 3;
const HEADING = /#{1,6}(?![^ \t\r\n])/y;
/** The last character that a list marker may begin with. */
const NINE = 0x39;
const LIST_MARKER = /(?:[-+*]|\d{1,9}[.)])(?=[ \t]|\r?\n|$)/y;

interface OpenFence {
  readonly kind: 'fence';
  readonly start: number;
  readonly marker: string;
  readonly length: number;
}

interface OpenComment {
  readonly kind: 'comment';
  readonly start: number;
}

/** A block that continues over lines of any content until its own end or the end of its list item. */
type OpenBlock = OpenFence | OpenComment;

/** Reads a text line by line; the fields are what CommonMark calls the open blocks. */
class BlockScanner {
  readonly #text: string;
  readonly #looksInto: (leaf: Span) => boolean;
  readonly #commentEnds: CommentEnds;
  readonly #inline: InlineScanner;
  readonly #blocks: InertBlock[] = [];

  /** The columns at which the contents of the open list items start, outermost first. */
  readonly #items: number[] = [];
  /** The innermost item has nothing but its marker yet. */
  #itemIsEmpty = false;
  #open: OpenBlock | undefined;
  /** `quoted`: the paragraph is part of a quote, so lines without `>` may continue it. */
  #paragraph: 'none' | 'own' | 'quoted' = 'none';
  #leafStart = -1;

  #lineStart = 0;
  #lineEnd = 0;
  #previousLineEnd = 0;
  /** First character of the line that is not yet understood, and its column. */
  #position = 0;
  #column = 0;
  /** Up to here no thematic break starts: keeps a line of nested list markers linear. */
  #noBreakBefore = 0;

  constructor(text: string, looksInto: (leaf: Span) => boolean) {
    this.#text = text;
    this.#looksInto = looksInto;
    this.#commentEnds = new CommentEnds(text);
    this.#inline = new InlineScanner(text, this.#commentEnds);
  }

  scan(): InertText {
    const text = this.#text;
    for (let start = 0; start < text.length; ) {
      const lineFeed = text.indexOf('\n', start);
      const next = lineFeed === -1 ? text.length : lineFeed;
      this.#previousLineEnd = this.#lineEnd;
      this.#lineStart = start;
      this.#lineEnd = lineFeed > start && text.charCodeAt(next - 1) === CARRIAGE_RETURN ? next - 1 : next;
      this.#position = start;
      this.#column = 0;
      this.#skipIndentation();
      if (this.#position === this.#lineEnd) this.#readBlankLine();
      else this.#readLine();
      start = next + 1;
    }
    this.#previousLineEnd = text.length;
    this.#closeParagraph();
    this.#closeOpenBlock();
    return { blocks: this.#blocks, inline: this.#inline.spans };
  }

  #readBlankLine(): void {
    if (this.#open) return;
    this.#closeParagraph();
    if (this.#itemIsEmpty) this.#items.pop();
    this.#itemIsEmpty = false;
  }

  #readLine(): void {
    let depth = this.#countContinuedItems();
    if (this.#open) {
      if (depth === this.#items.length) {
        this.#continueOpenBlock(this.#open);
        return;
      }
      this.#closeOpenBlock();
    }
    this.#itemIsEmpty = false;
    while (this.#indentation(depth) < CODE_INDENT) {
      if (this.#readLeafBlock(depth)) return;
      if (!this.#startListItem(depth)) break;
      if (this.#itemIsEmpty) return;
      depth++;
    }
    if (this.#paragraph === 'none' && this.#indentation(depth) >= CODE_INDENT) this.#readIndentedCode(depth);
    else this.#readText(depth);
  }

  /** Counts the open list items this line belongs to by its indentation. */
  #countContinuedItems(): number {
    let depth = 0;
    while (depth < this.#items.length && (this.#items[depth] as number) <= this.#column) depth++;
    return depth;
  }

  #indentation(depth: number): number {
    return depth === 0 ? this.#column : this.#column - (this.#items[depth - 1] as number);
  }

  /** True when the paragraph above and this line have the same parent, so that the line may continue it. */
  #isInParagraph(depth: number): boolean {
    return this.#paragraph === 'own' && depth === this.#items.length;
  }

  /** Everything that starts at the first character of a line, other than list items and paragraphs. */
  #readLeafBlock(depth: number): boolean {
    switch (this.#text[this.#position]) {
      case '>':
        return this.#readQuote(depth);
      case '#':
        return this.#readHeading(depth);
      case '`':
      case '~':
        return this.#openFence(depth);
      case '<':
        return this.#openComment(depth);
      case '=':
        return this.#readUnderline(depth);
      case '-':
        return this.#readUnderline(depth) || this.#readThematicBreak(depth);
      case '*':
      case '_':
        return this.#readThematicBreak(depth);
      default:
        return false;
    }
  }

  #readQuote(depth: number): boolean {
    this.#startBlock(depth);
    this.#addBlock('quote', this.#position);
    const isEmpty = skipBlanks(this.#text, this.#position + 1, this.#lineEnd) === this.#lineEnd;
    this.#paragraph = isEmpty ? 'none' : 'quoted';
    return true;
  }

  #readHeading(depth: number): boolean {
    HEADING.lastIndex = this.#position;
    if (!HEADING.test(this.#text)) return false;
    this.#startBlock(depth);
    this.#readLeaf(this.#position, this.#lineEnd);
    return true;
  }

  #openFence(depth: number): boolean {
    const start = this.#position;
    const marker = this.#text.charAt(start);
    const infoStart = skipRun(this.#text, start, this.#lineEnd);
    if (infoStart - start < MIN_FENCE_LENGTH) return false;
    if (marker === '`' && this.#text.slice(infoStart, this.#lineEnd).includes('`')) return false;
    this.#startBlock(depth);
    this.#open = { kind: 'fence', start, marker, length: infoStart - start };
    return true;
  }

  #openComment(depth: number): boolean {
    if (!this.#text.startsWith(COMMENT_START, this.#position)) return false;
    this.#startBlock(depth);
    const comment: OpenComment = { kind: 'comment', start: this.#position };
    this.#open = comment;
    this.#readCommentLine(comment, comment.start + COMMENT_END_OFFSET);
    return true;
  }

  /** The line of `=` or `-` that makes a heading of the paragraph above. */
  #readUnderline(depth: number): boolean {
    if (!this.#isInParagraph(depth)) return false;
    const runEnd = skipRun(this.#text, this.#position, this.#lineEnd);
    if (skipBlanks(this.#text, runEnd, this.#lineEnd) < this.#lineEnd) return false;
    this.#startBlock(depth);
    return true;
  }

  #readThematicBreak(depth: number): boolean {
    if (this.#position < this.#noBreakBefore) return false;
    const marker = this.#text.charCodeAt(this.#position);
    let count = 0;
    let position = this.#position;
    while (position < this.#lineEnd && this.#text.charCodeAt(position) === marker) {
      count++;
      position = skipBlanks(this.#text, position + 1, this.#lineEnd);
    }
    if (position < this.#lineEnd || count < MIN_BREAK_LENGTH) {
      this.#noBreakBefore = position;
      return false;
    }
    this.#startBlock(depth);
    return true;
  }

  #startListItem(depth: number): boolean {
    const length = this.#listMarkerLength();
    if (length === 0) return false;
    const isEmpty = skipBlanks(this.#text, this.#position + length, this.#lineEnd) === this.#lineEnd;
    if (this.#isInParagraph(depth)) {
      const number = length === 1 ? 1 : Number(this.#text.slice(this.#position, this.#position + length - 1));
      if (isEmpty || number !== 1) return false;
    }

    this.#startBlock(depth);
    this.#itemIsEmpty = isEmpty;
    this.#position += length;
    this.#column += length;
    const markerEnd = this.#column;
    this.#skipIndentation();
    const startsWithCode = this.#column - markerEnd > CODE_INDENT;
    this.#items.push(isEmpty || startsWithCode ? markerEnd + 1 : this.#column);
    return true;
  }

  /** The length of `-`, `+`, `*`, `1.` or `1)` with white space behind it, or 0. */
  #listMarkerLength(): number {
    // Most lines begin with a letter, which is quicker to see than that a pattern does not fit.
    if (this.#text.charCodeAt(this.#position) > NINE) return 0;
    LIST_MARKER.lastIndex = this.#position;
    return LIST_MARKER.test(this.#text) ? LIST_MARKER.lastIndex - this.#position : 0;
  }

  /** A line of a paragraph: it continues the open one, whatever its indentation, or starts a new one. */
  #readText(depth: number): void {
    if (this.#paragraph === 'none') {
      this.#closeItems(depth);
      this.#paragraph = 'own';
    }
    if (this.#leafStart === -1) this.#leafStart = this.#position;
  }

  #readIndentedCode(depth: number): void {
    this.#closeItems(depth);
    this.#addBlock('indented', this.#position);
  }

  #continueOpenBlock(open: OpenBlock): void {
    if (open.kind === 'fence') this.#readFenceLine(open);
    else this.#readCommentLine(open, this.#lineStart);
  }

  #readFenceLine({ start, marker, length }: OpenFence): void {
    if (this.#text[this.#position] !== marker || this.#indentation(this.#items.length) >= CODE_INDENT) return;
    const runEnd = skipRun(this.#text, this.#position, this.#lineEnd);
    if (runEnd - this.#position < length) return;
    if (skipBlanks(this.#text, runEnd, this.#lineEnd) < this.#lineEnd) return;
    this.#addBlock('fence', start);
    this.#open = undefined;
  }

  /** `searchStart`: where the end of the comment may begin. Behind the end the line is text again. */
  #readCommentLine({ start }: OpenComment, searchStart: number): void {
    const commentEnd = this.#commentEnds.find(searchStart);
    if (commentEnd > this.#lineEnd) return;
    this.#addBlock('comment', start, commentEnd);
    this.#open = undefined;
    this.#readLeaf(commentEnd, this.#lineEnd);
  }

  /** Ends what this line does not continue: the paragraph, and the list items deeper than `depth`. */
  #startBlock(depth: number): void {
    this.#closeParagraph();
    this.#closeItems(depth);
  }

  #closeItems(depth: number): void {
    while (this.#items.length > depth) this.#items.pop();
  }

  #closeParagraph(): void {
    if (this.#leafStart !== -1) this.#readLeaf(this.#leafStart, this.#previousLineEnd);
    this.#leafStart = -1;
    this.#paragraph = 'none';
  }

  #readLeaf(start: number, end: number): void {
    if (this.#looksInto({ start, end })) this.#inline.scan(start, end);
  }

  /** The text or the list item ended before the block did. */
  #closeOpenBlock(): void {
    if (!this.#open) return;
    const kind = this.#open.kind === 'fence' ? 'unclosed-fence' : 'comment';
    this.#addBlock(kind, this.#open.start, this.#previousLineEnd);
    this.#open = undefined;
  }

  /** Consecutive lines of one kind become one block. */
  #addBlock(kind: InertKind, start: number, end = this.#lineEnd): void {
    const last = this.#blocks[this.#blocks.length - 1];
    if (last?.kind === kind && last.end === this.#previousLineEnd && last.end < start) {
      this.#blocks[this.#blocks.length - 1] = { kind, start: last.start, end };
    } else {
      this.#blocks.push({ kind, start, end });
    }
  }

  #skipIndentation(): void {
    for (; this.#position < this.#lineEnd; this.#position++) {
      const code = this.#text.charCodeAt(this.#position);
      if (!isSpaceOrTab(code)) return;
      this.#column += code === TAB ? TAB_STOP - (this.#column % TAB_STOP) : 1;
    }
  }
}
