const FULL_WIDTH = /[\uff01-\uff5e]/gu;
const DISTANCE = 0xff01 - 0x21;

/** The same letters, digits and signs as a keyboard without an input method writes them: `ｙ` as `y`, `／` as `/`. */
export function toHalfWidth(text: string): string {
  return text.replaceAll(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - DISTANCE));
}
