import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countRows,
  EMPTY_FRAME,
  type Frame,
  paintFrame,
} from '../../../../src/frontends/tui/paint/paintFrame.js';

const WIDTH = 12;
const ROWS = 6;

/** Just enough of a terminal: rows, scrollback, a cursor, and the sequences that `paintFrame` uses. */
class TerminalModel {
  readonly scrollback: string[] = [];
  readonly screen: string[] = Array.from({ length: ROWS }, () => '');
  row = 0;
  column = 0;

  write(bytes: string): void {
    for (const [token] of bytes.matchAll(/\x1b\[\??\d*[A-Za-z]|[\s\S]/g)) this.#play(token);
  }

  get everything(): string[] {
    return [...this.scrollback, ...this.screen.map((line) => line.trimEnd())];
  }

  #play(token: string): void {
    const [, count = '', letter = ''] = /^\x1b\[\??(\d*)([A-Za-z])$/.exec(token) ?? [];
    const amount = Number(count || '1');
    if (token === '\r') this.column = 0;
    else if (token === '\n') this.#feed();
    else if (letter === 'A') this.row = Math.max(0, this.row - amount);
    else if (letter === 'B') this.row = Math.min(ROWS - 1, this.row + amount);
    else if (letter === 'G') this.column = amount - 1;
    else if (letter === 'K') this.#clear(this.row, this.column);
    else if (letter === 'J')
      for (let row = this.row; row < ROWS; row++) this.#clear(row, row === this.row ? this.column : 0);
    else if (letter === '') this.#put(token);
  }

  #put(character: string): void {
    const line = (this.screen[this.row] ?? '').padEnd(this.column);
    this.screen[this.row] = line.slice(0, this.column) + character + line.slice(this.column + 1);
    this.column += 1;
  }

  #clear(row: number, from: number): void {
    this.screen[row] = (this.screen[row] ?? '').slice(0, from);
  }

  #feed(): void {
    if (this.row < ROWS - 1) this.row += 1;
    else {
      this.scrollback.push((this.screen.shift() ?? '').trimEnd());
      this.screen.push('');
    }
  }
}

function frameOf(lines: readonly string[], row = lines.length - 1): Frame {
  return { lines, cursor: { row, column: 0 }, isCursorShown: true };
}

describe('paintFrame', () => {
  it('writes only the lines that changed', () => {
    const before = frameOf(['one', 'two', 'three']);
    expect(paintFrame(before, frameOf(['one', 'TWO', 'three']), [], WIDTH)).toBe(
      '\x1b[?2026h\x1b[1A\rTWO\x1b[K\x1b[1B\x1b[1G\x1b[?2026l',
    );
  });

  it('neither shows nor hides a cursor that stays as it is', () => {
    const hidden: Frame = { ...frameOf(['one']), isCursorShown: false };
    expect(paintFrame(frameOf(['one']), frameOf(['one']), [], WIDTH)).not.toContain('\x1b[?25');
    expect(paintFrame(frameOf(['one']), hidden, [], WIDTH)).toContain('\x1b[?25l');
    expect(paintFrame(hidden, frameOf(['one']), [], WIDTH)).toContain('\x1b[?25h');
  });

  it('prints each line above the frame once and leaves nothing of older frames behind', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: WIDTH });
    const status = fc.string({ unit: fc.constantFrom('s', 't'), minLength: 1, maxLength: WIDTH - 1 });
    const step = fc.record({
      printed: fc.array(line, { maxLength: 9 }),
      live: fc.array(line, { maxLength: ROWS - 1 }),
      status,
      cursor: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const terminal = new TerminalModel();
        const transcript: string[] = [];
        let before = EMPTY_FRAME;
        for (const { printed, live, status: last, cursor } of steps) {
          const lines = [...live, last];
          const after = frameOf(lines, cursor % lines.length);
          terminal.write(paintFrame(before, after, printed, WIDTH));
          transcript.push(...printed);
          before = after;
          const wanted = [...transcript, ...lines];
          const found = terminal.everything;
          expect(found.slice(0, wanted.length)).toEqual(wanted);
          expect(found.slice(wanted.length).join('')).toBe('');
          expect(terminal.scrollback.length + terminal.row).toBe(transcript.length + after.cursor.row);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('counts the rows that lines take when they are wrapped', () => {
    expect(countRows(['', 'abc', 'abcdef', '你好吗'], 3)).toBe(1 + 1 + 2 + 2);
  });
});
