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
const UNSAFE = new RegExp(
  `[${UNSAFE_RANGES.map(([first, last]) => `${regExpEscape(first)}-${regExpEscape(last)}`).join('')}]`,
  'gu',
);

const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = '\u2421';

/**
 * Text that is not ours, made harmless for a terminal: what is unsafe is shown (`␛]52;…`, `<U+202E>`), nothing is
 * dropped. Works on code points, not on escape sequences, so an unterminated sequence cannot swallow what follows.
 */
export function sanitizeForTerminal(text: string): string {
  return text.search(UNSAFE) === -1 ? text : text.replace(UNSAFE, picture);
}

/** The same on one line: line ends and tabs become spaces. */
export function sanitizeToOneLine(text: string): string {
  return sanitizeForTerminal(text.replace(/\s+/gu, ' ').trim());
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  if (code === DELETE) return DELETE_PICTURE;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

function regExpEscape(code: number): string {
  return `\\u{${code.toString(16)}}`;
}
