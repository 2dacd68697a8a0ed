const NARROW = /^[\x20-\x7e]*$/u;
const WIDE =
  /[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97c}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const WIDTH_OF_TAB = 8;

/** Columns of a terminal that a text takes at most. Marks over letters count, so it may be fewer. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += character === '\t' ? WIDTH_OF_TAB : WIDE.test(character) ? 2 : 1;
  return width;
}
