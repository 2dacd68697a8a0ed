import { describe, expect, it } from 'vitest';
import { isFull } from '../../soak/isFull.js';
import { hasTmux, TmuxScreen } from './TmuxScreen.js';

const LOAD = isFull
  ? { megabytes: 10, tools: 200, messages: 5000 }
  : { megabytes: 1, tools: 200, messages: 500 };

describe.skipIf(!hasTmux())('a long conversation', { timeout: 240_000 }, () => {
  it('is printed once and in order, answers keys meanwhile, and does not grow the program', async () => {
    const screen = new TmuxScreen({ program: 'loadProgram.mjs', order: LOAD, patienceMilliseconds: 60_000 });
    await screen.until('ready');

    screen.type('stream');
    screen.press('Enter');
    await screen.until('max is replying');
    screen.type('typed while it streams');
    const streaming = await screen.until('typed while it streams');
    expect(streaming.length).toBeLessThanOrEqual(24);
    screen.press('C-u');

    screen.type('tools');
    screen.press('Enter');
    await screen.until(`#${LOAD.tools}`);

    screen.type('settle');
    screen.press('Enter');
    await screen.until((rows) => !rows.join('\n').includes('max is'));
    screen.type('typed while it is printed');
    await screen.until('typed while it is printed');
    await screen.until('turn-1');
    screen.press('C-u');

    screen.type('messages');
    screen.press('Enter');
    await screen.until(`Message number ${LOAD.messages}.`);
    screen.press('C-d');
    const rows = await screen.until('peak: ');
    const bytes = screen.bytes();
    expect(numbers(bytes, /Message number (\d+)\./g)).toEqual(countTo(LOAD.messages));
    expect(numbers(bytes, /echo (\d+)\x1b/g)).toEqual(countTo(LOAD.tools));
    expect(Number(/peak: (\d+) MB/.exec(rows.join('\n'))?.[1])).toBeLessThan(isFull ? 220 : 160);
  });
});

function numbers(bytes: string, pattern: RegExp): number[] {
  return [...bytes.matchAll(pattern)].map(([, digits]) => Number(digits));
}

function countTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
