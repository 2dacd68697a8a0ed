/** More than people read at once; formatting more would hold up the page. */
const FORMATTED_CHARACTERS = 20_000;
/** The distance in which a line end is looked for. */
const LOOKED_BACK = 2000;

/** The part of a text that is formatted, and the rest, which is shown as it is when it is asked for. */
export function partText(text: string): { readonly start: string; readonly rest: string } {
  if (text.length <= FORMATTED_CHARACTERS) return { start: text, rest: '' };
  const end = findEnd(text, FORMATTED_CHARACTERS);
  return { start: text.slice(0, end), rest: text.slice(end) };
}

/** The last line end before a place, or a place near it that is not within a character. */
export function findEnd(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', place - 1);
  if (lineEnd > place - LOOKED_BACK) return lineEnd + 1;
  const last = text.charCodeAt(place - 1);
  return last >= 0xd800 && last <= 0xdbff ? place - 1 : place;
}
