import { whenUsed } from './whenUsed.js';

/** Scripts that are written without blanks: a line may end after each of their characters. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}`;
/** Signs that no line ends with, and signs that no line begins with. */
const [OPENING, CLOSING] = ['（［｛〈《「『【〔“‘', '、。，．：；？！）］｝〉》」』】〕”’…—'];

const parts = whenUsed(
  () =>
    new RegExp(
      `\\n|[^\\S\\n]+|[${OPENING}]*(?![${CLOSING}])[${UNSPACED}][${CLOSING}]*|(?:(?![${OPENING}${UNSPACED}])\\S)+|\\S`,
      'gu',
    ),
);

/** The parts between which a line may be broken: words, blanks, line ends, and characters of scripts without blanks. Together they are the text. */
export function splitIntoWords(text: string): string[] {
  return text.match(parts()) ?? [];
}
