import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';

const ELLIPSIS = '…';

/** The last safety: an overlong line would break the layout of everything below it. */
export function clampLines(lines: readonly string[], width: number): string[] {
  return lines.map((line) => (visibleWidth(line) > width ? truncateToWidth(line, width, ELLIPSIS) : line));
}
