import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonLines } from '../../src/utils/jsonLines.js';
import { LongLine } from '../../src/utils/LongLine.js';
import { replaceStrings } from '../../src/utils/replaceStrings.js';

function readLine(pieces: readonly Uint8Array[]) {
  const line = new LongLine();
  for (const piece of pieces) line.push(piece);
  const { outline, texts } = line.end();
  return {
    outline,
    texts,
    parse: () => replaceStrings(JSON.parse(outline), (text) => texts.get(text) ?? text),
  };
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const borders = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length];
  borders.sort((one, other) => one - other);
  return borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
}

function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch {
    return 'no JSON';
  }
}

const LONG = 'Words, "quoted", 中文 😀 \\ \n\t\u0000 \ud83d'.repeat(4000);

describe('reading a line that is too long to be parsed at once', () => {
  it('gives what parsing the whole would, wherever it is cut', () => {
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    fc.assert(
      fc.property(fc.jsonValue(), cuts, (value, places) => {
        const bytes = Buffer.from(JSON.stringify(value));
        expect(readLine(cut(bytes, places)).parse()).toEqual(JSON.parse(bytes.toString()));
      }),
    );
  });

  it('tells JSON from what is none as parsing the whole would', () => {
    const source = Buffer.from(JSON.stringify({ a: ['中文 😀', { 'b"': '\ud83d\n\\' }], c: [1, null] }));
    const cuts = fc.array(fc.nat(), { maxLength: 4 });
    fc.assert(
      fc.property(fc.nat(source.length - 1), fc.nat(255), cuts, (place, byte, places) => {
        const bytes = Buffer.from(source);
        bytes[place] = byte;
        const whole = outcomeOf(() => JSON.parse(bytes.toString()));
        expect(outcomeOf(readLine(cut(bytes, places)).parse)).toEqual(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps long values out of what is left to parse', () => {
    const record = {
      type: 'text',
      message: { text: LONG },
      result: LONG,
      list: [LONG],
      [LONG]: 1,
      last: 'x',
    };
    const bytes = Buffer.from(JSON.stringify({ ...record, list: [], [LONG]: undefined }));
    const places = Array.from({ length: 20 }, (_, index) => index * 61_007);
    const { outline, texts, parse } = readLine(cut(bytes, places));
    expect(outline.length).toBeLessThan(500);
    expect([...texts.values()]).toEqual([LONG, LONG]);
    expect(parse()).toEqual(JSON.parse(bytes.toString()));
    const all = Buffer.from(JSON.stringify(record));
    expect(readLine(cut(all, places)).parse()).toEqual(record);
  });

  it('is what a reader of lines does with a line that goes on and on', () => {
    const record = { ['__proto__' as string]: { text: LONG.repeat(4) }, last: 1 };
    const line = Buffer.from(`\ufeff${JSON.stringify(record)}\r\n"after"\n`);
    const places = Array.from({ length: 40 }, (_, index) => index * 65_536);
    const lines = new JsonLines();
    const records = cut(line, places).flatMap((piece) => lines.push(piece));
    expect(records).toEqual([record, 'after']);
  });

  it('counts a long line that is no JSON, and shows how it begins', () => {
    const chunk = Buffer.from('x'.repeat(100_000));
    const lines = new JsonLines();
    for (const piece of ['{"text": "y', chunk, chunk, chunk, '\n', chunk, chunk, chunk, '\n7\n'])
      expect(lines.push(Buffer.from(piece))).toEqual(piece === '\n7\n' ? [7] : []);
    expect(lines.badLines).toBe(2);
    expect(lines.badSamples.map((sample) => sample.slice(0, 12))).toEqual(['{"text": "yx', 'xxxxxxxxxxxx']);
  });

  it('skips a long line over the limit', () => {
    const lines = new JsonLines({ maxLineBytes: 400_000 });
    const chunk = Buffer.from('x'.repeat(150_000));
    const records = [Buffer.from('"'), chunk, chunk, chunk, Buffer.from('"\n8\n')].flatMap((piece) =>
      lines.push(piece),
    );
    expect(records).toEqual([8]);
    expect(lines.skippedLines).toBe(1);
  });
});
