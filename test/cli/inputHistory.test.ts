import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAgain, openSession, sentIn, typeIn } from './editorSession.js';
import { hasTerminal } from './pty.js';
import type { Machine } from './runHuddle.js';

const ENTER = '\r';
const UP = '\x1b[A';
const DOWN = '\x1b[B';
const CTRL_R = '\x12';
const ESC = '\x1b';

function historyFile({ env }: Machine): string {
  return join(String(env.HUDDLE_HOME), 'history.jsonl');
}

describe.skipIf(!hasTerminal)('what was typed in earlier sessions', () => {
  test('comes back with Up, newest first, in the same folder only', async () => {
    const first = await openSession();
    await typeIn(first, [
      [`first one${ENTER}`, 'turn-1'],
      [`second one${ENTER}`, 'turn-2'],
    ]);
    await sentIn(first);
    const { machine } = first;
    writeFileSync(historyFile(machine), 'no JSON\n{"folder":"/elsewhere","text":"not here"}\n', {
      flag: 'a',
    });
    expect(statSync(historyFile(machine)).mode & 0o777).toBe(0o600);
    const again = await openAgain(machine);
    await typeIn(again, [
      [UP, 'second one'],
      [UP, 'first'],
      [ENTER, 'turn-1'],
    ]);
    expect(await sentIn(again)).toEqual(['kim → ?: first one']);
    expect(again.terminal.shown()).not.toContain('not here');
  });

  test('Up leaves a draft that Down brings back', async () => {
    const session = await openSession();
    await typeIn(session, [
      [`earlier${ENTER}`, 'turn-1'],
      ['half a draft', 'half a draft'],
      [UP, 'earlier'],
      [DOWN, 'half a draft'],
      [`, whole${ENTER}`, 'turn-2'],
    ]);
    expect(await sentIn(session)).toEqual(['kim → ?: earlier', 'kim → ?: half a draft, whole']);
  });

  test('Ctrl-R finds it: again for an older one, Enter takes it, Esc goes back', async () => {
    const session = await openSession();
    await typeIn(session, [
      [`fix the login${ENTER}`, 'turn-1'],
      [`fix the logout${ENTER}`, 'turn-2'],
      ['draft', 'draft'],
      [CTRL_R, '(search)'],
      ['log', 'fix the logout'],
      [ESC, 'draft'],
      [CTRL_R, '(search)'],
      ['LOG', 'fix the logout'],
      [CTRL_R, 'fix the login'],
      [ENTER, 'fix the login'],
      [` page${ENTER}`, 'turn-3'],
    ]);
    expect((await sentIn(session)).at(-1)).toBe('kim → ?: fix the login page');
  });

  test('is not saved in the demo, and what looks like a key is masked', async () => {
    const session = await openSession();
    await typeIn(session, [[`my key is sk-${'a1b2'.repeat(8)} ok${ENTER}`, 'turn-1']]);
    await sentIn(session);
    const saved = readFileSync(historyFile(session.machine), 'utf8');
    expect(saved).toContain('my key is [redacted] ok');
    const demo = await openAgain(session.machine, { args: ['demo'] }, 'dry run');
    await typeIn(demo, [[`do not save this${ENTER}`, 'End of the demo']]);
    demo.terminal.type('\x04');
    expect(await demo.terminal.ended).toBe(0);
    expect(readFileSync(historyFile(session.machine), 'utf8')).toBe(saved);
  });
});
