import { visibleWidth } from '@earendil-works/pi-tui';
import { splitIntoGraphemes } from '../../../utils/splitIntoGraphemes.js';
import { splitIntoWords } from '../../../utils/splitIntoWords.js';

export type Style = (text: string) => string;

/** Text of one form. Painted last, so that no form reaches beyond its own words when lines are broken. */
export interface StyledSpan {
  readonly text: string;
  readonly style: Style;
}

export type StyledLine = readonly StyledSpan[];

/** Neighbours of one form are painted at once. */
export function paintLine(line: StyledLine): string {
  let painted = '';
  let [text, style]: [string, Style] = ['', String];
  for (const span of line) {
    if (span.style === style) text += span.text;
    else {
      painted += text === '' ? '' : style(text);
      ({ text, style } = span);
    }
  }
  return text === '' ? painted : painted + style(text);
}

export function widthOfLine(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + visibleWidth(text), 0);
}

/** Lines of at most `width` columns, broken between words; a word that is longer is broken where the line ends. */
export function wrapWords(spans: readonly StyledSpan[], width: number): StyledLine[] {
  const lines = new LineBreaker(width);
  for (const { text, style } of spans) {
    for (const part of splitIntoWords(text)) {
      if (part === '\n') lines.endLine();
      else if (part.trim() === '') lines.addBlank({ text: part, style });
      else lines.addWord({ text: part, style });
    }
  }
  return lines.end();
}

/** Lines of at most `width` columns that together are the text: nothing is dropped, no blank either. */
export function wrapColumns(line: StyledLine, width: number): StyledLine[] {
  if (widthOfLine(line) <= width) return [line];
  const styles = line.flatMap(({ text, style }) => Array.from({ length: text.length }, () => style));
  let position = 0;
  return wrapExactly(line.map(({ text }) => text).join(''), width).map((piece) => {
    const spans: { text: string; style: Style }[] = [];
    for (const character of piece) {
      const style = styles[position] ?? String;
      const last = spans.at(-1);
      if (last?.style === style) last.text += character;
      else spans.push({ text: character, style });
      position += character.length;
    }
    return spans;
  });
}

/** Puts words on lines. What stands together without a blank, in whatever forms, stays together if it can. */
class LineBreaker {
  readonly #width: number;
  readonly #lines: StyledSpan[][] = [];
  #line: StyledSpan[] = [];
  #column = 0;
  #blanks: StyledSpan[] = [];
  #word: StyledSpan[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  addWord(span: StyledSpan): void {
    // Characters that a line may end after are parts of their own.
    if (visibleWidth(span.text) > span.text.length || isWide(this.#word.at(-1))) this.#place();
    this.#word.push(span);
  }

  addBlank(span: StyledSpan): void {
    this.#place();
    this.#blanks.push(span);
  }

  endLine(): void {
    this.#place();
    this.#breakLine();
  }

  end(): StyledLine[] {
    this.#place();
    return [...this.#lines, this.#line];
  }

  #place(): void {
    if (this.#word.length === 0) return;
    const [blank, word] = [widthOfLine(this.#blanks), widthOfLine(this.#word)];
    if (this.#column + blank + word <= this.#width) this.#line.push(...this.#blanks, ...this.#word);
    else {
      if (this.#column > 0) this.#breakLine();
      const [first = [], ...others] = wrapColumns(this.#word, this.#width).map((line) => [...line]);
      this.#line.push(...first);
      for (const line of others) {
        this.#breakLine();
        this.#line.push(...line);
      }
    }
    this.#column = widthOfLine(this.#line);
    this.#blanks = [];
    this.#word = [];
  }

  #breakLine(): void {
    this.#lines.push(this.#line);
    this.#line = [];
    this.#column = 0;
    this.#blanks = [];
  }
}

function isWide(span: StyledSpan | undefined): boolean {
  return span !== undefined && visibleWidth(span.text) > span.text.length;
}

const PRINTABLE_ASCII = /^[ -~]*$/u;

/** Lines of at most `width` columns that together are the text: unlike wrapping at words, nothing is dropped, no blank either. */
export function wrapExactly(text: string, width: number): string[] {
  const pieces = PRINTABLE_ASCII.test(text) ? cutEvery(text, width) : cutByColumns(text, width);
  return pieces.length === 0 ? [''] : pieces;
}

function cutEvery(text: string, width: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += width) pieces.push(text.slice(start, start + width));
  return pieces;
}

function cutByColumns(text: string, width: number): string[] {
  const pieces: string[] = [];
  let [line, columns] = ['', 0];
  for (const { segment } of splitIntoGraphemes(text)) {
    const more = visibleWidth(segment);
    if (line !== '' && columns + more > width) {
      pieces.push(line);
      [line, columns] = ['', 0];
    }
    line += segment;
    columns += more;
  }
  return line === '' ? pieces : [...pieces, line];
}
