/** First and last code point of everything that can move the cursor, hide or reorder text, or talk to the terminal. */
const UNSAFE_RANGES: ReadonlyArray<readonly [number, number]> = [
  [0x00, 0x08], // control characters, without tab and line feed
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // joiners and fillers that show nothing
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f], // zero width, direction marks
  [0x2028, 0x202e], // line separators, bidirectional embeddings and overrides
  [0x2060, 0x206f], // invisible operators, bidirectional isolates
  [0x3164, 0x3164],
  [0xfe00, 0xfe0d], // variation selectors, without those of text and emoji style
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1d173, 0x1d17a], // invisible musical marks
  [0xe0000, 0xe0fff], // tags and more variation selectors
];

const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = '\u2421';
const LONGEST_PICTURE = '<U+E0FFF>'.length;

/** What is shown in place of an unsafe character, by its code point. */
const PICTURES = new Map<number, string>();
/** 1 for every UTF-16 unit that is an unsafe character, or begins a pair that may be one. */
const SUSPECT_UNITS = new Uint8Array(0x10000);
for (const [first, last] of UNSAFE_RANGES) {
  for (let code = first; code <= last; code += 1) {
    PICTURES.set(code, pictureOf(code));
    SUSPECT_UNITS[String.fromCodePoint(code).charCodeAt(0)] = 1;
  }
}

/**
 * Text that is not ours, made harmless for a terminal: what is unsafe is shown (`␛]52;…`, `<U+202E>`), nothing is
 * dropped. Works on code points, not on escape sequences, so an unterminated sequence cannot swallow what follows.
 */
export function sanitizeForTerminal(text: string): string {
  for (let index = 0; index < text.length; index += 1) {
    if (SUSPECT_UNITS[text.charCodeAt(index)] === 1) return rewrite(text);
  }
  return text;
}

/** The same on one line: line ends and tabs become spaces. */
export function sanitizeToOneLine(text: string): string {
  return sanitizeForTerminal(text.replace(/\s+/gu, ' ').trim());
}

/** Unit by unit into a buffer: ten times faster than `replace` on text that is hostile throughout. */
function rewrite(text: string): string {
  let units = new Uint16Array(text.length + LONGEST_PICTURE);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (length + LONGEST_PICTURE > units.length) units = enlarge(units);
    const unit = text.charCodeAt(index);
    const code = SUSPECT_UNITS[unit] === 1 ? text.codePointAt(index) : undefined;
    const picture = code === undefined ? undefined : PICTURES.get(code);
    if (picture === undefined) {
      units[length++] = unit;
      continue;
    }
    for (let place = 0; place < picture.length; place += 1) units[length++] = picture.charCodeAt(place);
    if (code !== unit) index += 1; // It took both units of a pair.
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  if (code === DELETE) return DELETE_PICTURE;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

function enlarge(units: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(units.length * 2);
  larger.set(units);
  return larger;
}
