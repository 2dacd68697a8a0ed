import { splitIntoGraphemes } from './splitIntoGraphemes.js';
import { widthOf } from './widthOf.js';

const ELLIPSIS = '…';

/** A path in at most so many columns: cut before the name of its file, which says most, or else in the middle of that. */
export function cutPath(path: string, columns: number): string {
  if (widthOf(path) <= columns) return path;
  const end = path.slice(path.lastIndexOf('/', path.length - 2) + 1);
  const name = end === path ? path : `/${end}`;
  const room = columns - widthOf(name) - 1;
  if (room > 0) return `${takeColumns(path, room)}${ELLIPSIS}${name}`;
  const half = Math.max(0, Math.floor((columns - 1) / 2));
  const tail = takeColumns(reverse(end), Math.max(0, columns - 1 - half));
  return columns < 1 ? '' : `${takeColumns(end, half)}${ELLIPSIS}${reverse(tail)}`;
}

/** As many whole characters as have room. */
function takeColumns(text: string, columns: number): string {
  let [taken, width] = ['', 0];
  for (const { segment } of splitIntoGraphemes(text)) {
    width += widthOf(segment);
    if (width > columns) break;
    taken += segment;
  }
  return taken;
}

function reverse(text: string): string {
  return Array.from(splitIntoGraphemes(text), ({ segment }) => segment)
    .reverse()
    .join('');
}
