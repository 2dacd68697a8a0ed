import { stripVTControlCharacters } from 'node:util';
import { isHighSurrogate } from '../../utils/bytes.js';
import { JsonLines, type JsonLinesOptions } from '../../utils/jsonLines.js';
import { replaceStrings } from '../../utils/replaceStrings.js';
import type { ReaderEvent, TurnReader, Verdict } from '../dialect/Dialect.js';

/** A line with an unfinished escape sequence is held back for at most this many characters. */
const LONGEST_HELD_LINE = 4096;

/** Events that separate deltas: those before and those after do not belong together. */
const BLOCK_BORDERS: ReadonlySet<ReaderEvent['type']> = new Set(['text', 'text-end', 'text-reset']);

/** The output of a process, understood piece by piece. */
export interface TurnOutput {
  push(chunk: Uint8Array): ReaderEvent[];
  /** The events that were held back until the output was over. */
  end(): ReaderEvent[];
  /** Nothing after the final record counts. */
  readonly verdict: Verdict | undefined;
  readonly skippedLines: number;
  /** The first line that was no record. */
  readonly badSample: string | undefined;
}

/** Output with one record a line, understood by the dialect's reader. */
export function createRecordOutput(reader: TurnReader, options: JsonLinesOptions): TurnOutput {
  const lines = new JsonLines(options);
  const repair = createEventRepair();
  const read = (records: readonly unknown[]): ReaderEvent[] =>
    records.flatMap((record) => (reader.verdict === undefined ? reader.read(record).map(repair) : []));
  return {
    push: (chunk) => read(lines.push(chunk)),
    end: () => [...read(lines.end()), ...(reader.end?.() ?? []).map(repair)],
    get verdict() {
      return reader.verdict;
    },
    get skippedLines() {
      return lines.skippedLines;
    },
    get badSample() {
      return lines.badSamples[0];
    },
  };
}

/** All output is the answer; colours and other escape sequences are for a terminal and go. */
export function createPlainOutput(): TurnOutput {
  const decoder = new TextDecoder();
  let held = '';
  const emit = (text: string): ReaderEvent[] => {
    const clean = stripVTControlCharacters(text);
    return clean === '' ? [] : [{ type: 'text-delta', text: clean }];
  };
  return {
    push: (chunk) => {
      const text = held + decoder.decode(chunk, { stream: true });
      const lineStart = text.lastIndexOf('\n') + 1;
      const isWhole =
        text.length - lineStart > LONGEST_HELD_LINE || !/[\x1b\x9b]/u.test(text.slice(lineStart));
      held = isWhole ? '' : text.slice(lineStart);
      return emit(isWhole ? text : text.slice(0, lineStart));
    },
    end: () => emit(held + decoder.decode()),
    verdict: undefined,
    skippedLines: 0,
    badSample: undefined,
  };
}

/** The beginning of an escape sequence, at the end of a text. */
const OPEN_SEQUENCE = /[\x1b\x9b][[\]()#;?\d]{0,30}$/u;
/** Texts that an agent says. */
const SPOKEN: ReadonlySet<ReaderEvent['type']> = new Set(['text', 'thinking']);

/**
 * Makes all strings of events well-formed, and takes colours and other escape sequences out of what an agent says. What
 * was cut by two deltas, a surrogate pair or such a sequence, becomes whole again.
 */
export function createEventRepair(): (event: ReaderEvent) => ReaderEvent {
  let half = '';
  return (event) => {
    if (event.type !== 'text-delta') {
      if (BLOCK_BORDERS.has(event.type)) half = '';
      const clean = SPOKEN.has(event.type) ? stripVTControlCharacters : (text: string) => text;
      return replaceStrings(event, (text) => clean(text).toWellFormed()) as ReaderEvent;
    }
    const text = half + event.text;
    half = isHighSurrogate(text.charCodeAt(text.length - 1))
      ? text.slice(-1)
      : (OPEN_SEQUENCE.exec(text)?.[0] ?? '');
    const whole = stripVTControlCharacters(text.slice(0, text.length - half.length));
    return { type: 'text-delta', text: whole.toWellFormed() };
  };
}
