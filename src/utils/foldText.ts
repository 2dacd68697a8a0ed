/** A text for comparing: in capitals or not, in whatever form its letters are written. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Finds the place of a folded text in another one: the units of that one which fold to it. */
export function findFolded(
  text: string,
  folded: string,
): { readonly start: number; readonly end: number } | undefined {
  const place = foldText(text).indexOf(folded);
  if (place < 0) return undefined;
  const end = place + folded.length;
  if (foldText(text.slice(place, end)) === folded) return { start: place, end };
  return unfold(text, place, end);
}

/** Letters that fold to more or fewer units move the places of all that follow. */
function unfold(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  let [units, foldedUnits, first] = [0, 0, 0];
  for (const character of text) {
    if (foldedUnits >= end) break;
    foldedUnits += foldText(character).length;
    if (foldedUnits <= start) first = units + character.length;
    units += character.length;
  }
  return { start: first, end: units };
}
