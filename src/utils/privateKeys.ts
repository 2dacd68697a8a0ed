const TAIL = '[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
const LONGEST_KEY = 32_768;
const KEY = new RegExp(
  `-----BEGIN ${TAIL}(?:(?!-----(?:BEGIN|END))[\\s\\S]){0,${LONGEST_KEY}}-----END ${TAIL}`,
  'gu',
);
/** A key that was cut off: it lasts as long as its lines look like those of one. */
const BEGINNING = new RegExp(
  `-----BEGIN ${TAIL}(?:[\\s>|]|\\\\[nr]|[A-Za-z0-9+/=]{16,128}(?![A-Za-z0-9+/=]))*(?<![\\s>|])(?:[A-Za-z0-9+/=]{1,15}$)?`,
  'gu',
);
const END = new RegExp(`-----END ${TAIL}`, 'gu');
const PUTTY_KEY = /(Private-Lines: \d+\r?\n)(?:[A-Za-z0-9+/=]{1,128}\r?\n?)+/gu;

/** A line of a key, with its line break and what a diff or a quotation puts before it; the break may be that of JSON. */
const LAST_LINE = /(?:^|\\n|[^A-Za-z0-9+/=])([A-Za-z0-9+/=]{16,128}(?:\r?\n|(?:\\r)?\\n)[ >|+-]{0,8})$/u;
const LONGEST_LINE = 160;

/** Puts `mask` into the place of private keys, also of those whose beginning or end was cut off. */
export function maskPrivateKeys(text: string, mask: string): string {
  const masked = text.replace(KEY, mask).replace(BEGINNING, mask).replace(PUTTY_KEY, `$1${mask}`);
  let result = '';
  let from = 0;
  for (const { index, 0: end } of masked.matchAll(END)) {
    const start = startOfLines(masked, from, index);
    result += `${masked.slice(from, start)}${mask}`;
    from = index + end.length;
  }
  return result + masked.slice(from);
}

/** Goes back from the end of a key over the lines that belong to it. */
function startOfLines(text: string, from: number, end: number): number {
  let start = end;
  for (;;) {
    const [, line] = LAST_LINE.exec(text.slice(Math.max(from, start - LONGEST_LINE), start)) ?? [];
    if (line === undefined) return start;
    start -= line.length;
  }
}
