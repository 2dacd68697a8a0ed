import { expect, test } from 'vitest';
import { formatTable } from '../../src/cli/formatTable.js';

test('columns stand under their heads, whatever script is in them', () => {
  const rows = [
    ['小明', '1'],
    ['e\u0301va', '10'],
    ['ﾏｯｸｽ', '2'],
    ['👍 ok', '3'],
  ];
  expect(formatTable([{ head: 'member' }, { head: 'turns', isNumber: true }], rows).split('\n')).toEqual([
    'member  turns',
    '小明        1',
    'e\u0301va        10',
    'ﾏｯｸｽ        2',
    '👍 ok       3',
  ]);
});
