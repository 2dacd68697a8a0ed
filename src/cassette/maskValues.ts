import { MASK, SHORTEST_SECRET } from '../utils/redact.js';

/** Values that many set in place of a secret, and that are words of ordinary texts. */
const WORDS = new Set(['password', 'postgres', 'changeme', 'disabled', 'required', 'username', 'localhost']);
/** Longer values are looked for line by line. */
const LONGEST_VALUE = 512;
const SHORTEST_LINE = 16;

/** Masks values that are known, in every form in which they are likely to be written. `names` are no secrets. */
export function createValueMask(
  values: readonly string[],
  names: readonly string[],
): (text: string) => string {
  const harmless = new Set([...WORDS, ...names.map((name) => name.toLowerCase())]);
  const secrets = values
    .flatMap((value) => (value.length > LONGEST_VALUE ? value.split(/\r?\n/u).filter(isLongLine) : [value]))
    .map((value) => value.trim())
    .filter((value) => value.length >= SHORTEST_SECRET && !harmless.has(value.toLowerCase()));
  // Longest first: one may be the beginning of another.
  const longestFirst = (one: string, other: string): number => other.length - one.length;
  const plain = [...new Set(secrets)].sort(longestFirst);
  const forms = [...new Set(secrets.flatMap(writtenForms))].sort(longestFirst);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), maskWrapped(text, plain));
}

function isLongLine(line: string): boolean {
  return line.trim().length >= SHORTEST_LINE;
}

/** A value as it is, in JSON, in an address, in hexadecimal and in Base64, there also as a part of something longer. */
function writtenForms(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const encoded = [0, 1, 2].map((shift) => innerBase64(bytes, shift));
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...encoded,
    ...encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ].filter((form) => form.length >= SHORTEST_SECRET);
}

/** The digits that follow from these bytes alone when they stand `shift` bytes after the beginning of a group of three. */
function innerBase64(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/u, '');
  const rest = (bytes.length + shift) % 3;
  return text.slice([0, 2, 3][shift], rest === 0 ? undefined : -1);
}

/** The end of a line, also as JSON writes it, and what a diff or a quotation puts before the next. */
const LINE_BREAK = /(?:\r?\n|(?:\\r)?\\n)[ \t+>|]{0,8}/gu;

/** Masks values that continue in the next line, as screens, diffs and mails break them. */
function maskWrapped(text: string, values: readonly string[]): string {
  const pieces = piecesBetween(text, LINE_BREAK);
  if (pieces.length === 1) return text;
  const joined = pieces.map(({ text: piece }) => piece).join('');
  let masked = '';
  let done = 0;
  for (const [start, end] of findAll(joined, values)) {
    const from = placeIn(pieces, start);
    if (from < done) continue;
    masked += `${text.slice(done, from)}${MASK}`;
    done = placeIn(pieces, end - 1) + 1;
  }
  return masked + text.slice(done);
}

/** A part of a text: where it begins there, and where in all parts put together. */
interface Piece {
  readonly text: string;
  readonly at: number;
  readonly joinedAt: number;
}

function piecesBetween(text: string, separator: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let [at, joinedAt] = [0, 0];
  const add = (end: number, next: number): void => {
    const piece = { text: text.slice(at, end), at, joinedAt };
    pieces.push(piece);
    [at, joinedAt] = [next, joinedAt + piece.text.length];
  };
  for (const { index, 0: found } of text.matchAll(separator)) add(index, index + found.length);
  add(text.length, text.length);
  return pieces;
}

/** All places of these values, in order; of two at one place the longer. */
function findAll(
  text: string,
  values: readonly string[],
): readonly (readonly [start: number, end: number])[] {
  const found = values.flatMap((value) => {
    const places: [number, number][] = [];
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
      places.push([at, at + value.length]);
    return places;
  });
  return found.sort(([one, oneEnd], [other, otherEnd]) => one - other || otherEnd - oneEnd);
}

/** The place in the whole text of a place in the joined one. */
function placeIn(pieces: readonly Piece[], joined: number): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.joinedAt ?? 0) <= joined) low = middle;
    else high = middle - 1;
  }
  const { at = 0, joinedAt = 0 } = pieces[low] ?? {};
  return at + joined - joinedAt;
}
