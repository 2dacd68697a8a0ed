import type { LogItem } from './logItems.js';

const NOTE = 44;
/** Head, foot and distance of a message. */
const AROUND = 84;
const LINE = 24;
const CHARACTER = 8;
/** Longer texts have a button instead. */
const MOST_CHARACTERS = 20_000;

/** A first guess at the height of a row, until it has been seen. */
export function estimateHeight(item: LogItem | undefined, width: number): number {
  if (item === undefined || item.kind === 'note') return NOTE;
  if (item.kind === 'running') return AROUND;
  const { block } = item;
  const text = block.kind === 'message' ? block.text : '';
  const columns = Math.max(20, (width - 48) / CHARACTER);
  return AROUND + LINE * Math.ceil(Math.min(text.length, MOST_CHARACTERS) / columns);
}
