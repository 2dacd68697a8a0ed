import { BACKSLASH } from './characters.js';
import { forwardFinder, forwardSpans, type Span } from './forward.js';
import { findInertText, type InertBlock, type InertText } from './inertText.js';
import { SpanRemover } from './SpanRemover.js';

/** `[NEXT: a, b]`: who speaks next. */
export interface NextMarker extends Span {
  readonly kind: 'next';
  readonly names: readonly string[];
}

/** `[FROM: a]`: who the text says it is from. */
export interface FromMarker extends Span {
  readonly kind: 'from';
  readonly name: string;
}

/** `[TEAM_TASK] text` or `[TEAM_TASK: text]`; `start..end` is the marker with its text. */
export interface TeamTaskMarker extends Span {
  readonly kind: 'team-task';
  /** Trimmed. */
  readonly task: string;
  /** Where the text lies between the parts of the marker; `start..textStart` and `textEnd..end` are the marker alone. */
  readonly textStart: number;
  readonly textEnd: number;
}

export type Marker = NextMarker | FromMarker | TeamTaskMarker;

export interface MarkerScan {
  /** In the order of the text, without overlaps. */
  readonly markers: readonly Marker[];
  /** Markers that do nothing because a code fence was never closed. */
  readonly inUnclosedFence: readonly Marker[];
}

/** Longer ones, from `[` to `]`, are no markers: somebody forgot the bracket. */
const MAX_MARKER_LENGTH = 4096;
const OPENING = /[[［](?:TEAM_TASK[\]］]|(?:NEXT|FROM|TEAM_TASK)[:：])/gi;
const MAY_HAVE_MARKERS = new RegExp(OPENING, 'i');
const NAME_SEPARATOR = /[,，、]/;
const LINE_BREAK_BEFORE_BLANK_LINE = /\n(?=[ \t]*\r?(?:\n|$))/g;

const NO_MARKERS: MarkerScan = { markers: [], inUnclosedFence: [] };

/** All markers of a message that act: not those in code, quotes and comments or behind a backslash. Linear time. */
export function scanMarkers(text: string): MarkerScan {
  if (!MAY_HAVE_MARKERS.test(text)) return NO_MARKERS;
  const inert = findInertText(text);
  const unclosed = inert.blocks.filter(({ kind }) => kind === 'unclosed-fence');
  const markers: Marker[] = [];
  visitLiveBrackets(text, inert, (bracket) => markers.push(toMarker(text, bracket)));
  return { markers, inUnclosedFence: unclosed.length === 0 ? [] : readFencedMarkers(text, unclosed) };
}

/** True when at least one marker acts. */
export function hasMarkers(text: string): boolean {
  return scanMarkers(text).markers.length > 0;
}

export interface StripOptions {
  /** `block` (default): a task marker goes with its text. `marker`: its text stays, for speakers who may not set the task. */
  readonly teamTask?: 'block' | 'marker';
  /** The kinds that go; all by default. */
  readonly kinds?: readonly Marker['kind'][];
}

/** The text without its markers, trimmed, as it goes into a prompt. Nothing changes but the places of the markers. */
export function stripMarkers(text: string, { teamTask = 'block', kinds }: StripOptions = {}): string {
  if (!MAY_HAVE_MARKERS.test(text)) return text.trim();
  const remover = new SpanRemover(text);
  visitLiveBrackets(text, findInertText(text), ({ kind, start, end, textStart, textEnd }) => {
    if (kinds !== undefined && !kinds.includes(kind)) return;
    const keepsText = kind === 'team-task' && teamTask === 'marker';
    if (!keepsText) return remover.remove(start, end);
    remover.remove(start, textStart);
    if (textEnd < end) remover.remove(textEnd, end);
  });
  return remover.finish().trim();
}

/** A keyword in brackets and its text. A task block (`[TEAM_TASK]` …) has its text behind the brackets, all others inside. */
interface Bracket {
  readonly kind: Marker['kind'];
  readonly start: number;
  end: number;
  readonly textStart: number;
  textEnd: number;
  readonly isTaskBlock: boolean;
}

/** Called with every bracket in turn; none is kept, so that a text full of them costs no more than its length. */
type Visit = (bracket: Bracket) => void;

function visitLiveBrackets(text: string, inert: InertText, visit: Visit): void {
  visitBrackets(text, livenessOf(text, inert), blankLineFinder(text, inert), visit);
}

/** What would act if the fences were not there. */
function readFencedMarkers(text: string, fences: readonly InertBlock[]): Marker[] {
  const fenceAfter = forwardSpans(fences);
  const isFenced = ({ start, end }: Span) => {
    const fence = fenceAfter(start);
    return fence !== undefined && fence.start <= start && end <= fence.end && !isEscaped(text, start);
  };
  const fenceOf = forwardSpans(fences);
  const findBlankLine = blankLineFinder(text, { blocks: [], inline: [] });
  const findLimit = (from: number) => Math.min(findBlankLine(from), fenceOf(from - 1)?.end ?? text.length);
  const markers: Marker[] = [];
  visitBrackets(text, isFenced, findLimit, (bracket) => markers.push(toMarker(text, bracket)));
  return markers;
}

/** A task block reaches to the next bracket or to where `findLimit` says, so each waits for the next to be found. */
function visitBrackets(
  text: string,
  isWanted: (bracket: Span) => boolean,
  findLimit: (from: number) => number,
  visit: Visit,
): void {
  const findClosing = closingBracketFinder(text);
  const opening = new RegExp(OPENING);
  let waiting: Bracket | undefined;
  while (opening.test(text)) {
    const bracket = readBracket(text, opening.lastIndex, findClosing);
    if (!bracket || !isWanted(bracket)) continue;
    if (waiting) visit(extendTaskBlock(text, waiting, bracket.start, findLimit));
    waiting = bracket;
    opening.lastIndex = bracket.end;
  }
  if (waiting) visit(extendTaskBlock(text, waiting, text.length, findLimit));
}

/** White space at the end of a block is not part of it. */
function extendTaskBlock(
  text: string,
  bracket: Bracket,
  next: number,
  findLimit: (from: number) => number,
): Bracket {
  if (!bracket.isTaskBlock || next === bracket.textStart) return bracket;
  const limit = Math.min(next, findLimit(bracket.textStart));
  bracket.end = bracket.textStart + text.slice(bracket.textStart, limit).trimEnd().length;
  bracket.textEnd = bracket.end;
  return bracket;
}

/** The last letters tell the keywords apart, in both cases. */
const KEYWORD_BY_LAST_LETTER: Readonly<Record<string, { kind: Marker['kind']; length: number }>> = {
  T: { kind: 'next', length: 'NEXT'.length },
  t: { kind: 'next', length: 'NEXT'.length },
  M: { kind: 'from', length: 'FROM'.length },
  m: { kind: 'from', length: 'FROM'.length },
  K: { kind: 'team-task', length: 'TEAM_TASK'.length },
  k: { kind: 'team-task', length: 'TEAM_TASK'.length },
};

/** `openingEnd`: behind the colon, or behind the closing bracket of a task block's `[TEAM_TASK]`. */
function readBracket(
  text: string,
  openingEnd: number,
  findClosing: (from: number) => number,
): Bracket | undefined {
  const keyword = KEYWORD_BY_LAST_LETTER[text.charAt(openingEnd - 2)];
  if (!keyword) return undefined;
  const { kind } = keyword;
  const start = openingEnd - keyword.length - '[:'.length;
  if (isClosingBracket(text.charAt(openingEnd - 1))) {
    return { kind, start, end: openingEnd, textStart: openingEnd, textEnd: openingEnd, isTaskBlock: true };
  }
  const textEnd = findClosing(openingEnd);
  const end = textEnd + 1;
  if (textEnd === text.length || end - start > MAX_MARKER_LENGTH) return undefined;
  if (kind === 'from' && textEnd === openingEnd) return undefined;
  return { kind, start, end, textStart: openingEnd, textEnd, isTaskBlock: false };
}

function isClosingBracket(character: string): boolean {
  return character === ']' || character === '］';
}

/** A bracket acts when both its ends are plain text and no code block, quote or comment block lies between. */
function livenessOf(text: string, { blocks, inline }: InertText): (bracket: Span) => boolean {
  const blockAfter = forwardSpans(blocks);
  const inlineAfterStart = forwardSpans(inline);
  const inlineAfterEnd = forwardSpans(inline);
  const isIn = (span: Span | undefined, position: number) => span !== undefined && span.start <= position;
  return ({ start, end }) =>
    !isEscaped(text, start) &&
    !isIn(blockAfter(start), end - 1) &&
    !isIn(inlineAfterStart(start), start) &&
    !isIn(inlineAfterEnd(end - 1), end - 1);
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(position - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function closingBracketFinder(text: string): (from: number) => number {
  const findNarrow = forwardFinder(text, ']');
  const findWide = forwardFinder(text, '］');
  return (from) => Math.min(findNarrow(from), findWide(from));
}

/** Where the first blank line behind a position starts; blank lines inside fenced code and comments do not count. */
function blankLineFinder(text: string, { blocks }: InertText): (from: number) => number {
  const enclosing = forwardSpans(blocks.filter(({ kind }) => kind !== 'indented' && kind !== 'quote'));
  const lineBreak = new RegExp(LINE_BREAK_BEFORE_BLANK_LINE);
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    lineBreak.lastIndex = from;
    for (let match = lineBreak.exec(text); match; match = lineBreak.exec(text)) {
      found = match.index;
      const block = enclosing(found);
      if (!block || block.start > found) return found;
      lineBreak.lastIndex = block.end;
    }
    found = text.length;
    return found;
  };
}

function toMarker(text: string, { kind, start, end, textStart, textEnd }: Bracket): Marker {
  const content = text.slice(textStart, textEnd);
  switch (kind) {
    case 'next':
      return { kind, start, end, names: splitNames(content) };
    case 'from':
      return { kind, start, end, name: content.trim() };
    case 'team-task':
      return { kind, start, end, task: content.trim(), textStart, textEnd };
  }
}

function splitNames(list: string): string[] {
  const names: string[] = [];
  for (const part of NAME_SEPARATOR.test(list) ? list.split(NAME_SEPARATOR) : [list]) {
    const name = part.trim();
    if (name !== '') names.push(name);
  }
  return names;
}
