import { describe, expect, test } from 'vitest';
import { formatCodeArchive, parseCodeArchive } from '../../src/cli/start/codeArchive.js';

const compiled = new Map([
  ['main.cjs', { source: 'exports.a = 1;', code: Buffer.from([1, 2, 3]) }],
  ['文.cjs', { source: '// …', code: Buffer.alloc(17, 4) }],
  ['empty.cjs', { source: '', code: Buffer.alloc(0) }],
]);

describe('an archive of compiled code', () => {
  test('has the code of every chunk, where V8 need not copy it', () => {
    const archive = formatCodeArchive(compiled);
    const findCode = parseCodeArchive(archive);
    for (const [chunk, { source, code }] of compiled) {
      const found = findCode?.(chunk, source);
      expect(found).toEqual(code);
      expect(((found?.byteOffset ?? 1) - archive.byteOffset) % 8).toBe(0);
    }
  });

  test('has nothing for another source, another chunk, or a property of objects', () => {
    const findCode = parseCodeArchive(formatCodeArchive(compiled));
    expect(findCode?.('main.cjs', 'exports.a = 2;')).toBeUndefined();
    expect(findCode?.('other.cjs', 'exports.a = 1;')).toBeUndefined();
    expect(findCode?.('constructor', '')).toBeUndefined();
  });

  test.each(['', '\n', '{}\n', 'null\n', '{"compiler":"v1.0.0 x64","chunks":{}}\n', 'no line end'])(
    'is none: %j',
    (text) => {
      expect(parseCodeArchive(Buffer.from(text))).toBeUndefined();
    },
  );
});
