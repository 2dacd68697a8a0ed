/** A part of a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The index of the first `needle` at or after a position, the length of the text when there is none.
 * Positions must not go back; then all calls together cost one pass over the text.
 */
export function forwardFinder(text: string, needle: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      const index = text.indexOf(needle, from);
      found = index === -1 ? text.length : index;
    }
    return found;
  };
}

/** The first of the sorted spans that ends behind a position. Positions must not go back, as above. */
export function forwardSpans<S extends Span>(spans: readonly S[]): (position: number) => S | undefined {
  let index = 0;
  return (position) => {
    while (index < spans.length && (spans[index] as S).end <= position) index++;
    return spans[index];
  };
}
