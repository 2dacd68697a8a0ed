import { describe, expect, it } from 'vitest';
import { cutToWidth, formatTable } from '../../../src/frontends/lines/formatTable.js';

describe('formatTable', () => {
  it('lines columns up as a screen shows them, wide characters and emoji too', () => {
    const columns = [{ head: 'member' }, { head: 'turns', isNumber: true }, { head: 'first message' }];
    const rows = [
      ['max', '12', 'ok'],
      ['莎拉和小明', '3', '好'],
      ['👍 é', '1'],
    ];
    expect(formatTable(columns, rows).split('\n')).toEqual([
      'member      turns  first message',
      'max            12  ok',
      '莎拉和小明      3  好',
      '👍 é            1',
    ]);
  });
});

describe('cutToWidth', () => {
  it('counts columns, cuts no character in two and adds nothing but an ellipsis', () => {
    expect(cutToWidth('plan the sign-in', 8)).toBe('plan th…');
    expect(cutToWidth('认证系统', 8)).toBe('认证系统');
    expect(cutToWidth('认证系统', 7)).toBe('认证系…');
    expect(cutToWidth('认证系统', 6)).toBe('认证…');
    expect(cutToWidth('认证系统', Number.POSITIVE_INFINITY)).toBe('认证系统');
  });
});
