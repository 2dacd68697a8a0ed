import { BACKSLASH } from './characters.js';
import { forwardFinder, forwardSpans, type Span } from './forward.js';
import { findInertText, type InertText } from './inertText.js';
import { removeSpans } from './removeSpans.js';

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
const OPENING = /[[［](NEXT|FROM|TEAM_TASK)(?:[:：]|([\]］]))/gi;
const MAY_HAVE_MARKERS = /[[［](?:NEXT|FROM|TEAM_TASK)[:：\]］]/i;
const NAME_SEPARATOR = /[,，、]/u;
const LINE_BREAK_BEFORE_BLANK_LINE = /\n(?=[ \t]*\r?(?:\n|$))/g;

const NO_MARKERS: MarkerScan = { markers: [], inUnclosedFence: [] };
const ALL_LIVE: InertText = { blocks: [], inline: [] };

/** All markers of a message that act: not those in code, quotes and comments or behind a backslash. Linear time. */
export function scanMarkers(text: string): MarkerScan {
  if (!MAY_HAVE_MARKERS.test(text)) return NO_MARKERS;
  const inert = findInertText(text);
  return {
    markers: readMarkers(text, { start: 0, end: text.length }, inert),
    inUnclosedFence: inert.blocks
      .filter((block) => block.kind === 'unclosed-fence')
      .flatMap((fence) => readMarkers(text, fence, ALL_LIVE)),
  };
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
  const spans = scanMarkers(text)
    .markers.filter(({ kind }) => kinds?.includes(kind) ?? true)
    .flatMap((marker) => (teamTask === 'marker' ? withoutTask(marker) : marker));
  return removeSpans(text, spans).trim();
}

/** The parts of a marker that are not the text of a task. */
function withoutTask(marker: Marker): Span[] {
  if (marker.kind !== 'team-task') return [marker];
  const { start, end, textStart, textEnd } = marker;
  return [
    { start, end: textStart },
    { start: textEnd, end },
  ].filter((span) => span.start < span.end);
}

/** A keyword in brackets. A task block (`[TEAM_TASK]` …) has its text behind the brackets, all others inside. */
interface Bracket extends Span {
  readonly keyword: string;
  readonly textStart: number;
  readonly textEnd: number;
  readonly isTaskBlock: boolean;
}

function readMarkers(text: string, region: Span, inert: InertText): Marker[] {
  const brackets = readBrackets(text, region, inert);
  const findBlankLine = blankLineFinder(text, inert);
  return brackets.map((bracket, index) => {
    if (!bracket.isTaskBlock) return toMarker(text, bracket);
    const nextMarker = brackets[index + 1]?.start ?? region.end;
    return toTaskBlock(text, bracket, Math.min(nextMarker, findBlankLine(bracket.end)));
  });
}

function readBrackets(text: string, region: Span, inert: InertText): Bracket[] {
  const brackets: Bracket[] = [];
  const isLive = livenessOf(text, inert);
  const findClosing = closingBracketFinder(text);
  const opening = new RegExp(OPENING);
  opening.lastIndex = region.start;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const start = match.index;
    if (start >= region.end) break;
    const bracket = readBracket(match, opening.lastIndex, findClosing);
    if (!bracket || bracket.end > region.end || !isLive(bracket)) continue;
    brackets.push(bracket);
    opening.lastIndex = bracket.end;
  }
  return brackets;
}

function readBracket(
  match: RegExpExecArray,
  openingEnd: number,
  findClosing: (from: number) => number,
): Bracket | undefined {
  const start = match.index;
  const keyword = (match[1] as string).toUpperCase();
  if (match[2] !== undefined) {
    if (keyword !== 'TEAM_TASK') return undefined;
    return { keyword, start, end: openingEnd, textStart: openingEnd, textEnd: openingEnd, isTaskBlock: true };
  }
  const textEnd = findClosing(openingEnd);
  const end = textEnd + 1;
  if (end - start > MAX_MARKER_LENGTH) return undefined;
  if (keyword === 'FROM' && textEnd === openingEnd) return undefined;
  return { keyword, start, end, textStart: openingEnd, textEnd, isTaskBlock: false };
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

function toTaskBlock(text: string, bracket: Bracket, limit: number): TeamTaskMarker {
  const { start, textStart } = bracket;
  const block = text.slice(textStart, limit).trimEnd();
  const end = textStart + block.length;
  return { kind: 'team-task', start, end, task: block.trimStart(), textStart, textEnd: end };
}

function toMarker(text: string, { keyword, start, end, textStart, textEnd }: Bracket): Marker {
  const content = text.slice(textStart, textEnd);
  switch (keyword) {
    case 'NEXT':
      return { kind: 'next', start, end, names: splitNames(content) };
    case 'FROM':
      return { kind: 'from', start, end, name: content.trim() };
    default:
      return { kind: 'team-task', start, end, task: content.trim(), textStart, textEnd };
  }
}

function splitNames(list: string): string[] {
  return list
    .split(NAME_SEPARATOR)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
