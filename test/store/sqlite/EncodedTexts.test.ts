import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EncodedTexts } from '../../../src/store/sqlite/EncodedTexts.js';

const decode = (json: string | Uint8Array) => Buffer.from(json).toString();

test('a value is written byte for byte as it would be without preparing its texts', async () => {
  const unit = fc.string({ unit: 'binary', minLength: 1 });
  await fc.assert(
    fc.asyncProperty(unit, unit, async (one, other) => {
      const [text, draft] = [one.repeat(70_000), `${other}${'😀'.repeat(80_000)}\ud83d`];
      const value = { a: [text, { text, draft }], short: one, b: 'end' };
      const texts = new EncodedTexts();
      await Promise.all([text, draft, one].map((each) => texts.prepare(each)));
      expect(decode(texts.stringify(value)) === JSON.stringify(value)).toBe(true);
    }),
    { numRuns: 10 },
  );
});

test('a text may stand in a value that is long without it', async () => {
  const text = 'long '.repeat(20_000);
  const texts = new EncodedTexts();
  for (const value of [
    { before: 'x'.repeat(5000), text },
    { text, after: 'x'.repeat(5000) },
  ]) {
    await texts.prepare(text);
    expect(decode(texts.stringify(value)) === JSON.stringify(value)).toBe(true);
  }
});

test('a prepared text is taken once, and the rest is left alone', async () => {
  const text = 'long '.repeat(20_000);
  const texts = new EncodedTexts();
  await texts.prepare(text);
  expect(texts.stringify({ other: 1 })).toBe('{"other":1}');
  expect(texts.stringify({ text })).toBeInstanceOf(Uint8Array);
  expect(texts.stringify({ text })).toBe(JSON.stringify({ text }));
});
