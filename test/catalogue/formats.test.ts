import { describe, expect, it } from 'vitest';
import { formatRecent, formatTime } from '../../src/catalogue/formats.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = new Date(2026, 10, 15, 14, 2, 9).getTime();

describe('a time', () => {
  it.each([
    [0, 'just now'],
    [59_999, 'just now'],
    [MINUTE, '1 min ago'],
    [59 * MINUTE, '59 min ago'],
    [HOUR, '1 h ago'],
    [12 * HOUR - 1, '11 h ago'],
    [12 * HOUR, '2026-11-15 02:02'],
    [48 * HOUR, '2026-11-13 14:02'],
    [-1, '2026-11-15 14:02'],
    [Number.NaN, 'NaN'],
  ])('that is %d milliseconds ago is told as %s', (passed, told) => {
    expect(formatRecent(NOW - passed, NOW)).toBe(told);
  });

  it('is that of the clock on the wall', () => {
    expect(formatTime(NOW)).toBe('2026-11-15 14:02:09');
  });
});
