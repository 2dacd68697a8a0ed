import { CARRIAGE_RETURN, isBlank, LINE_FEED, skipBlanks } from './characters.js';
import type { Span } from './forward.js';

/**
 * The text without some sorted spans, which must not overlap. Outside them only the white space right beside a span
 * changes: a line that holds nothing else goes with its line break, at the ends of a line nothing stays, in mid-line
 * one space stays where there was any.
 */
export function removeSpans(text: string, spans: readonly Span[]): string {
  let result = '';
  let kept = 0;
  for (const span of joinNeighbours(text, spans)) {
    const { start, end, filler } = widen(text, span);
    result += text.slice(kept, start) + filler;
    kept = end;
  }
  return result + text.slice(kept);
}

/** Spans with nothing but spaces and tabs between them leave one gap, not several. */
function joinNeighbours(text: string, spans: readonly Span[]): Span[] {
  const joined: { start: number; end: number }[] = [];
  let last = { start: -1, end: -1 };
  for (const { start, end } of spans) {
    if (last.end !== -1 && skipBlanks(text, last.end, start) === start) {
      last.end = end;
    } else {
      last = { start, end };
      joined.push(last);
    }
  }
  return joined;
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
  while (position > 0 && isBlank(text.charCodeAt(position - 1))) position--;
  return position;
}

function skipLineBreak(text: string, position: number): number {
  const lineFeed = text.charCodeAt(position) === CARRIAGE_RETURN ? position + 1 : position;
  return text.charCodeAt(lineFeed) === LINE_FEED ? lineFeed + 1 : position;
}
