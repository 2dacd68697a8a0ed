import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPath } from '../../src/utils/cutPath.js';
import { widthOf } from '../../src/utils/widthOf.js';

test.each([
  ['src/upload.ts', 40, 'src/upload.ts'],
  ['src/deep/down/in/the/project/upload.ts', 24, 'src/deep/down…/upload.ts'],
  ['src/deep/down/upload.ts', 12, 's…/upload.ts'],
  ['a-name-that-is-longer-than-its-room.test.ts', 20, 'a-name-th…om.test.ts'],
  ['src/a-name-that-is-longer-than-its-room.test.ts', 20, 'a-name-th…om.test.ts'],
  ['文档/很长的目录名称/说明文件.md', 20, '文档/很…/说明文件.md'],
  ['folder/', 5, 'fo…r/'],
  ['x', 0, ''],
])('%s in %i columns is %s', (path, columns, cut) => {
  expect(cutPath(path, columns)).toBe(cut);
});

test('a cut path is never too wide', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.integer({ min: 0, max: 60 }),
      (path, columns) => {
        expect(widthOf(cutPath(path, columns))).toBeLessThanOrEqual(columns);
      },
    ),
  );
});
