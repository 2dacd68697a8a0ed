import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonLines, type JsonLinesOptions } from '../../src/utils/jsonLines.js';
import { isFull } from '../soak/isFull.js';
import { tries } from '../tier.js';

function read(chunks: ReadonlyArray<string | Uint8Array>, options?: JsonLinesOptions) {
  const lines = new JsonLines(options);
  const records = chunks.flatMap((chunk) => lines.push(Buffer.from(chunk)));
  return { records: [...records, ...lines.end()], lines };
}

const CJK_LINE = `${JSON.stringify({ text: '中文 日本語 한글 € 😀 é 👩‍👩‍👧‍👦 — '.repeat(3), n: 1 })}\n`;

describe('reading JSON lines', () => {
  it('gives one record a line', () => {
    expect(read(['{"a":1}\n[2]\n"three"\n4\nnull\n']).records).toEqual([{ a: 1 }, [2], 'three', 4, null]);
  });

  it('joins a line of CJK and emoji text that is cut at any byte', () => {
    const bytes = Buffer.from(CJK_LINE);
    const whole = read([bytes]).records;
    expect(bytes.length).toBeGreaterThan(200);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read([bytes.subarray(0, at), bytes.subarray(at)]).records).toEqual(whole);
    }
  });

  it('gives the same records however the bytes are cut', () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 6 });
    const cuts = fc.array(fc.nat(400), { maxLength: 8 });
    fc.assert(
      fc.property(values, cuts, (records, places) => {
        const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
        const borders = [0, ...places.map((place) => Math.min(place, bytes.length)), bytes.length];
        borders.sort((one, other) => one - other);
        const chunks = borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
        expect(read(chunks).records).toEqual(JSON.parse(JSON.stringify(records)));
      }),
    );
  });

  it('splits at LF only', () => {
    const text = 'one\u2028two\u2029three\u0085four\rfive';
    expect(read([`"${text.replace('\r', '\\r')}"\n`]).records).toEqual([text]);
  });

  it('reads CR LF, blank lines and a leading byte order mark', () => {
    const { records, lines } = read(['\ufeff{"a":1}\r\n\r\n   \n\t\n{"b":2}\r\n']);
    expect(records).toEqual([{ a: 1 }, { b: 2 }]);
    expect(lines.badLines).toBe(0);
  });

  it('reads a byte order mark that comes byte by byte', () => {
    expect(
      read([[0xef], [0xbb], [0xbf], [0x31, 0x0a]].map((bytes) => Uint8Array.from(bytes))).records,
    ).toEqual([1]);
  });

  it('replaces invalid bytes and reads on', () => {
    const bad = Buffer.from([0xff, 0xc0, 0xaf, 0xe2, 0x82, 0xf0, 0x9f, 0x98, 0xed, 0xa0, 0x80]);
    const line = Buffer.concat([Buffer.from('"a '), bad, Buffer.from(' b"\n"c"\n')]);
    expect(read([bad, '\n', line]).records).toEqual([expect.stringMatching(/^a \ufffd+ b$/u), 'c']);
  });

  it('does not lose the line end after a character that was cut short', () => {
    expect(read([Buffer.from([0x22, 0xe4, 0xb8, 0x0a, 0x31, 0x0a])]).records).toEqual([1]);
  });

  it('counts a last line without a line end only if it is whole', () => {
    expect(read(['1\n{"a":', '2}']).records).toEqual([1, { a: 2 }]);
    const { records, lines } = read(['1\n{"a":']);
    expect(records).toEqual([1]);
    expect(lines.badLines).toBe(1);
  });

  it('counts what is no JSON and keeps the beginning of the first three', () => {
    const { records, lines } = read(['Welcome!\n{broken\n1\n}{\nundefined\n', `${'é'.repeat(500)}\n`]);
    expect(records).toEqual([1]);
    expect(lines.badLines).toBe(5);
    expect(lines.badSamples).toEqual(['Welcome!', '{broken', '}{']);
    expect(read([`${'é'.repeat(500)}\n`]).lines.badSamples).toEqual(['é'.repeat(100)]);
  });

  it('refuses records nested so deeply that printing them would fail', () => {
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}\n`;
    const { records, lines } = read([
      deep(200_000),
      `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}\n`,
      deep(100),
    ]);
    expect(records).toHaveLength(1);
    expect(lines.badLines).toBe(2);
  });

  it('skips lines over the limit, counts them and goes on', () => {
    const long = `"${'x'.repeat(100)}"`;
    const chunks = ['1\n', long.slice(0, 50), long.slice(50), '\n2\n', `${long}\n3\n`, long];
    const { records, lines } = read(chunks, { maxLineBytes: 60 });
    expect(records).toEqual([1, 2, 3]);
    expect(lines.skippedLines).toBe(3);
    expect(lines.badLines).toBe(0);
  });

  it('takes a line of exactly the limit', () => {
    expect(read(['"éé"\n'], { maxLineBytes: 6 }).records).toEqual(['éé']);
    expect(read(['"ééx"\n'], { maxLineBytes: 6 }).lines.skippedLines).toBe(1);
  });

  it('gives own properties only, whatever their names', () => {
    const [record] = read(['{"__proto__":{"polluted":true},"constructor":1}\n']).records;
    expect(Object.keys(record as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('survives mutated lines', () => {
    const runs = isFull ? 100_000 : tries(5000);
    const source = Buffer.from(CJK_LINE);
    const lines = new JsonLines();
    fc.assert(
      fc.property(fc.nat(source.length - 1), fc.nat(255), fc.nat(source.length), (place, byte, cut) => {
        const mutated = Buffer.from(source);
        mutated[place] = byte;
        lines.push(mutated.subarray(0, cut));
        lines.push(mutated.subarray(cut));
      }),
      { numRuns: runs },
    );
    expect(lines.push(Buffer.from('\n"after"\n')).at(-1)).toBe('after');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
