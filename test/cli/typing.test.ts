import { describe, expect, test } from 'vitest';
import { openAgain, openSession, sentIn, typeIn } from './editorSession.js';
import { hasTerminal } from './pty.js';

const ENTER = '\r';
const LINES = Array.from({ length: 2000 }, (_, index) => `line ${index + 1} of the log`).join('\n');

describe.skipIf(!hasTerminal)('lines that arrive at once', () => {
  test('are one message without bracketed paste, sent by the next Enter', async () => {
    const session = await openSession();
    await typeIn(session, [
      ['x', 'x'],
      ['\x7f', '\x1b[?2026l'],
      [`aaa${ENTER}bbb${ENTER}ccc${ENTER}`, 'ccc'],
      [ENTER, 'turn-1'],
    ]);
    expect(await sentIn(session)).toEqual(['kim → ?: aaa\nbbb\nccc']);
  });

  test('are one message when they come in several reads', async () => {
    const session = await openSession();
    const wide = 'x'.repeat(60);
    const lines = Array.from({ length: 200 }, (_, index) => `${index} ${wide}`);
    await typeIn(session, [
      ['x', 'x'],
      ['\x7f', '\x1b[?2026l'],
      [lines.join(ENTER), 'lines]'],
      [ENTER, 'turn-1'],
    ]);
    expect(await sentIn(session)).toEqual([`kim → ?: ${lines.join('\n')}`]);
  });

  test('are messages of their own when Enter ends each read', async () => {
    const session = await openSession();
    await typeIn(session, [
      [`one${ENTER}`, 'turn-1'],
      [`two${ENTER}`, 'turn-2'],
    ]);
    expect(await sentIn(session)).toEqual(['kim → ?: one', 'kim → ?: two']);
  });
});

describe.skipIf(!hasTerminal)('a long paste', () => {
  test('is shown short when it is sent and when it is recalled, and goes out whole', async () => {
    const session = await openSession();
    const { machine, terminal } = session;
    await typeIn(session, [
      [`Look: \x1b[200~${LINES}\x1b[201~`, '[paste #1 +2000 lines]'],
      [ENTER, 'Look: [paste #1 +2000 lines]'],
      ['', 'turn-1'],
      ['\x1b[A', '+2000 lines]'],
      ['\x03', 'Ctrl-C again'],
    ]);
    expect(terminal.shown()).not.toContain('line 1000 of the log');
    expect(await sentIn(session)).toEqual([`kim → ?: Look: ${LINES}`]);
    const { stdout } = await machine.run(['show']);
    expect(stdout).toContain('line 2000 of the log');
    const again = await openAgain(machine, { args: ['--continue'] }, '[+1990 lines]');
    expect(again.terminal.shown()).toContain('line 10 of the log');
    expect(again.terminal.shown()).not.toContain('line 11 of the log');
    again.terminal.type('\x04');
    expect(await again.terminal.ended).toBe(0);
  });
});

describe.skipIf(!hasTerminal)('keys that other tools have', () => {
  test('? on an empty line shows the keys and sends nothing; in a text it is a character', async () => {
    const session = await openSession();
    await typeIn(session, [
      ['?', 'Keys and commands'],
      [`Why?${ENTER}`, 'turn-1'],
      [`? is what${ENTER}`, 'turn-2'],
    ]);
    expect(await sentIn(session)).toEqual(['kim → ?: Why?', 'kim → ?: ? is what']);
  });

  test('Ctrl-J and Alt-Enter make a new line, however the terminal encodes them', async () => {
    const session = await openSession();
    for (const key of ['a', '\n', 'b', '\x1b\r', 'c', '\x1b[106;5u', 'd', '\x1b[13;3u', 'e']) {
      session.terminal.type(key);
      await session.terminal.until('\x1b[?2026l');
    }
    await typeIn(session, [[ENTER, 'turn-1']]);
    expect(await sentIn(session)).toEqual(['kim → ?: a\nb\nc\nd\ne']);
  });

  test('!command is not sent but kept in the editor, with the reason; sent again it is a message', async () => {
    const session = await openSession();
    await typeIn(session, [
      [`!npm test${ENTER}`, 'another terminal'],
      [ENTER, 'turn-1'],
    ]);
    expect(await sentIn(session)).toEqual(['kim → ?: !npm test']);
  });

  test.each(['!!! Look at this', '! is the operator', '!'])('%s is sent at once', async (text) => {
    const session = await openSession();
    await typeIn(session, [[text + ENTER, 'turn-1']]);
    expect(await sentIn(session)).toEqual([`kim → ?: ${text}`]);
  });

  test('--plain lists only the keys that work there', async () => {
    const session = await openSession([], { args: ['--plain'] }, '> ');
    await typeIn(session, [['/help\n', '/quit']]);
    expect(session.terminal.shown()).not.toMatch(/Shift-Enter|Up, Down|Esc|Ctrl-R|Ctrl-G/u);
    expect(session.terminal.shown()).toContain('Ctrl-D');
  });
});
