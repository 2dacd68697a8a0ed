import { expect, test } from 'vitest';
import { fileNameOf } from '../../src/files/paths.js';

test('an id of Huddle is the name of its file', () => {
  expect(['ada', 'sarah-2', '小明', '20261119-2115-4595'].map(fileNameOf)).toEqual([
    'ada',
    'sarah-2',
    '小明',
    '20261119-2115-4595',
  ]);
});

test('an id of a made-up log is never a way to another folder', () => {
  for (const id of [
    '../../../victim',
    '/victim',
    '..',
    '.',
    '',
    'a/b',
    'a\\b',
    'a\0b',
    'x'.repeat(65),
    '-x',
    '.git',
  ])
    expect(fileNameOf(id)).toMatch(/^[0-9a-f]{64}$/u);
});
