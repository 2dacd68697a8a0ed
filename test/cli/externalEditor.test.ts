import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openAgain, openSession, sentIn, typeIn } from './editorSession.js';
import { hasTerminal } from './pty.js';
import { createMachine, teamFile } from './runHuddle.js';

const ENTER = '\r';
const CTRL_G = '\x07';
/** Waits until an agent has answered, then for a line of the person, and writes more into the file. */
const EDITOR = `
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
const [option, file] = process.argv.slice(2);
console.log('EDITOR OPEN', option, (statSync(file).mode & 0o777).toString(8), readFileSync(file, 'utf8'));
while (!existsSync('answered')) await wait(10);
console.log('EDITOR SAW IT');
for await (const line of process.stdin) {
  appendFileSync(file, 'and ' + line);
  break;
}
console.log('EDITOR DONE');
process.exit(0);
`;

describe.skipIf(!hasTerminal)('Ctrl-G', () => {
  test('lends the terminal to $VISUAL, with arguments, and takes what it leaves; what is said meanwhile waits', async () => {
    const machine = createMachine();
    const answer = "require('fs').writeFileSync('answered', ''); console.log('Bob was asked.')";
    const slow = `setTimeout(() => { ${answer} }, 500)`;
    machine.write('huddle.jsonc', teamFile({ bob: { agentType: 'command', command: ['node', '-e', slow] } }));
    await machine.trust();
    const editor = machine.write('../editor.mjs', EDITOR);
    const session = await openAgain(machine, { env: { VISUAL: `node ${editor} --wait`, EDITOR: 'false' } });
    const { terminal } = session;
    await typeIn(session, [
      [`Go.${ENTER}`, 'bob is'],
      ['my draft', 'my draft'],
      [CTRL_G, 'EDITOR OPEN --wait 600 my draft'],
      ['', 'EDITOR SAW IT'],
      ['more\n', 'EDITOR DONE'],
      ['', 'Bob was asked.'],
      ['', 'my draft'],
    ]);
    const screen = terminal.shown();
    const lent = screen.slice(screen.indexOf('EDITOR OPEN'), screen.indexOf('EDITOR DONE'));
    expect(lent).not.toContain('was asked');
    expect(lent).not.toContain('\x1b');
    expect(screen.slice(0, screen.indexOf('EDITOR OPEN'))).toMatch(/\x1b\[\?2004l[^\x1b]*$/u);
    await typeIn(session, [[ENTER, 'turn-2']]);
    expect((await sentIn(session)).at(-1)).toBe('kim → ?: my draftand more');
    expect(readdirSync(machine.folder).filter((name) => name.startsWith('huddle-message'))).toEqual([]);
  });

  test('shows what was written there, whole', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\n');
    const session = await openSession([], { env: { VISUAL: `printf '${lines}\n' >` } });
    await typeIn(session, [
      [CTRL_G, '  line 11'],
      [ENTER, 'line 11'],
      ['', 'turn-1'],
    ]);
    expect(session.terminal.shown()).not.toContain('[paste');
    expect(await sentIn(session)).toEqual([`kim → ?: ${lines}`]);
  });

  test('says so when there is no place for the text', async () => {
    const session = await openSession([], { env: { TMPDIR: '/no/such/folder' } });
    await typeIn(session, [[CTRL_G, "can't be passed to an editor: no such file or folder"]]);
  });

  test.each([
    ['exit 3 #', 'failed with exit code 3; your text is unchanged'],
    ['no-such-editor', 'Editor "no-such-editor" not found; your text is unchanged'],
  ])('keeps the draft when the editor %j fails, and says so', async (VISUAL, reason) => {
    const session = await openSession([], { env: { VISUAL } });
    await typeIn(session, [
      ['my draft', 'my draft'],
      [CTRL_G, reason],
      ['', 'my draft'],
      [ENTER, 'turn-1'],
    ]);
    expect(await sentIn(session)).toEqual(['kim → ?: my draft']);
  });
});
