const encoder = new TextEncoder();
let scratch = new Uint8Array(16 * 1024);

/** Size of a text in UTF-8; a lone surrogate counts as the U+FFFD it becomes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** A text without lone surrogates, and its size in UTF-8. */
export interface MeasuredText {
  readonly text: string;
  readonly bytes: number;
}

export function measureText(text: string): MeasuredText {
  return { text: text.toWellFormed(), bytes: utf8Length(text) };
}

/**
 * The longest beginning of `text` that takes at most `maxBytes` in UTF-8. Never splits a code point.
 * Costs no more than the budget, however long the text is: the encoder stops by itself when the buffer is full.
 */
export function truncateToBytes(text: string, maxBytes: number): string {
  return measureBeginning(text, maxBytes).text;
}

/** `truncateToBytes` together with the size of what it keeps. */
export function measureBeginning(text: string, maxBytes: number): MeasuredText {
  if (maxBytes <= 0) return { text: '', bytes: 0 };
  const room = Math.min(maxBytes, text.length * 3);
  if (scratch.length < room) scratch = new Uint8Array(room);
  const { read, written } = encoder.encodeInto(text, scratch.subarray(0, room));
  return { text: read === text.length ? text : text.slice(0, read), bytes: written };
}

/** The longest end of `text` that takes at most `maxBytes` in UTF-8. Never splits a code point. */
export function lastBytes(text: string, maxBytes: number): string {
  let start = text.length;
  let room = maxBytes;
  while (start > 0) {
    const isPair =
      start > 1 && isLowSurrogate(text.charCodeAt(start - 1)) && isHighSurrogate(text.charCodeAt(start - 2));
    const units = isPair ? 2 : 1;
    room -= isPair ? 4 : unitBytes(text.charCodeAt(start - 1));
    if (room < 0) break;
    start -= units;
  }
  return text.slice(start);
}

function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
