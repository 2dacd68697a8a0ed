import { isAscii, isUtf8, transcode } from 'node:buffer';
import { truncateToBytes, utf8Length } from './bytes.js';

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** Bytes decoded at once: enough to be fast, small against the memory of a turn. */
const WINDOW_BYTES = 1024 * 1024;
const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Deeper records would overflow the stack of code that walks or prints them. */
const MAX_DEPTH = 1000;
const SAMPLES = 3;
const SAMPLE_BYTES = 200;
/** Bytes of the beginning of a lost line that are told. */
const START_BYTES = 1024;

export interface JsonLinesOptions {
  /** A longer line is skipped and counted. */
  readonly maxLineBytes?: number;
  /** Told of a line that is no record, or too long to be read, by how it begins. */
  readonly onLost?: (reason: 'bad' | 'too-long', start: string) => void;
}

/**
 * Turns chunks of bytes into JSON records, one a line. Lines end at LF only: every other separator is legal
 * inside a string. What is not JSON, or nested too deeply, is counted and the stream continues. Strings may
 * hold the lone surrogates that JSON can escape: a pair may be cut by two records, so only the code that
 * joins them can repair them.
 */
export class JsonLines {
  /** Lines that are not JSON; the first few are kept for diagnosis. */
  badLines = 0;
  readonly badSamples: string[] = [];
  /** Lines over the limit. */
  skippedLines = 0;
  readonly maxLineBytes: number;
  readonly #onLost: JsonLinesOptions['onLost'];
  /** The beginning of a line whose end has not come yet. */
  #unfinished: Uint8Array[] = [];
  #unfinishedBytes = 0;
  #skipping = false;
  #atStart = true;

  constructor(options: JsonLinesOptions = {}) {
    this.maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
    this.#onLost = options.onLost;
  }

  /** The records whose line ends in this chunk. An unfinished line is kept by reference: do not reuse the chunk. */
  push(chunk: Uint8Array): unknown[] {
    const records: unknown[] = [];
    let start = 0;
    while (start < chunk.length) {
      const end = this.#endOfLines(chunk, start);
      if (end === -1) {
        this.#keep(chunk.subarray(start));
        break;
      }
      this.#readLines(chunk.subarray(start, end), records);
      start = end + 1;
    }
    return records;
  }

  /** The stream is over: a last line without a line end counts only if it is a whole record. */
  end(): unknown[] {
    const records: unknown[] = [];
    if (this.#unfinishedBytes > 0 || this.#skipping) this.#readLines(new Uint8Array(), records);
    return records;
  }

  /** End of the last whole line of the next window, or the first line end after it, or -1. */
  #endOfLines(chunk: Uint8Array, start: number): number {
    const first = chunk.indexOf(LINE_FEED, start);
    if (first === -1 || this.#unfinishedBytes > 0 || this.#skipping) return first;
    return Math.max(first, chunk.lastIndexOf(LINE_FEED, start + WINDOW_BYTES));
  }

  #keep(piece: Uint8Array): void {
    if (this.#skipping) return;
    this.#unfinished.push(piece);
    this.#unfinishedBytes += piece.length;
    if (this.#unfinishedBytes <= this.maxLineBytes) return;
    this.#onLost?.('too-long', Buffer.concat(this.#unfinished, START_BYTES).toString('latin1'));
    this.#forget();
    this.#skipping = true;
  }

  #forget(): void {
    this.#unfinished = [];
    this.#unfinishedBytes = 0;
  }

  #readLines(lastPiece: Uint8Array, records: unknown[]): void {
    if (!this.#skipping && this.#unfinishedBytes > 0) this.#keep(lastPiece);
    if (this.#skipping) {
      this.#skipping = false;
      this.skippedLines += 1;
      return;
    }
    const isJoined = this.#unfinishedBytes > 0;
    const bytes = isJoined ? Buffer.concat(this.#unfinished, this.#unfinishedBytes) : asBuffer(lastPiece);
    this.#forget();
    const isMarked = this.#atStart && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
    this.#atStart = false;
    for (const line of decodeUtf8(isMarked ? bytes.subarray(3) : bytes).split('\n'))
      this.#readLine(line, records);
  }

  #readLine(line: string, records: unknown[]): void {
    if (line.length === 0) return;
    if (line.length * 3 > this.maxLineBytes && utf8Length(line) > this.maxLineBytes) {
      this.skippedLines += 1;
      this.#onLost?.('too-long', line.slice(0, START_BYTES));
      return;
    }
    try {
      const record: unknown = JSON.parse(line);
      if (mayBeDeeperThan(line, MAX_DEPTH) && isDeeperThan(record, MAX_DEPTH)) this.#countBad(line);
      else records.push(record);
    } catch {
      if (line.trim() !== '') this.#countBad(line);
    }
  }

  #countBad(line: string): void {
    this.badLines += 1;
    this.#onLost?.('bad', line.slice(0, START_BYTES));
    if (this.badSamples.length < SAMPLES) this.badSamples.push(truncateToBytes(line, SAMPLE_BYTES));
  }
}

/** Whether a line has as many opening brackets as that depth takes: far cheaper to see than the depth itself. */
function mayBeDeeperThan(line: string, depth: number): boolean {
  if (line.length <= 2 * depth) return false;
  let left = depth - countUpTo(line, '{', depth);
  left -= left > 0 ? countUpTo(line, '[', left) : 0;
  return left <= 0;
}

function countUpTo(text: string, character: string, limit: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count < limit; at = text.indexOf(character, at + 1))
    count++;
  return count;
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key in fields) if (isDeeperThan(fields[key], depth - 1)) return true;
  return false;
}

/** Invalid bytes become U+FFFD. On Node 20 `transcode` reads text beyond ASCII several times faster than `toString`. */
function decodeUtf8(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? transcode(bytes, 'utf8', 'utf16le').toString('utf16le') : bytes.toString('utf8');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
