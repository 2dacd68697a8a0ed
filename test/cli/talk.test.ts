import { afterEach, describe, test } from 'vitest';
import { hostileCommand } from '../agents/acp/hostileAcpAgent.js';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { createMachine, teamFile } from './runHuddle.js';

const open: TmuxScreen[] = [];

afterEach(() => {
  for (const screen of open.splice(0)) screen.close();
});

/** `huddle` alone, where an agent that always says the same is installed. */
function startHuddle(): TmuxScreen {
  const machine = createMachine();
  machine.install('claude');
  const env = { ...machine.env, HOSTILE: 'fixed', HOSTILE_TEXT: 'Signed cookies, 小明.' };
  const screen = new TmuxScreen({
    program: '../../../dist/cli/huddle.cjs',
    args: [],
    columns: 100,
    rows: 40,
    env,
  });
  open.push(screen);
  return screen;
}

describe.skipIf(!hasTmux())('huddle alone in a terminal', { timeout: 60_000 }, () => {
  test('opens a conversation with what is installed, keeps it, and leaves on Ctrl-D', async () => {
    const screen = startHuddle();
    await screen.until('Say something to begin.');
    screen.type('How would you build it?');
    screen.press('Enter');
    await screen.until('Signed cookies, 小明.');
    await screen.until('waiting for you');
    screen.press('C-d');
    await screen.until('Kept as ');
    await screen.until('code: 0');
  });

  test.each([
    ['/allow', '"optionId":"once"'],
    ['/deny', '"optionId":"no"'],
  ])('asks the person when an agent asks for leave, and passes on %s', async (command, answer) => {
    const machine = createMachine();
    const olga = { agentType: 'acp', command: hostileCommand('asksbash') };
    machine.write('huddle.jsonc', teamFile({ olga }));
    await machine.run(['trust', '--yes']);
    const screen = new TmuxScreen({
      program: '../../../dist/cli/huddle.cjs',
      args: [],
      columns: 100,
      rows: 40,
      env: machine.env,
      workingFolder: machine.project,
    });
    open.push(screen);
    await screen.until('Say something to begin.');
    screen.type('Do the tests pass?');
    screen.press('Enter');
    await screen.until('olga asks for leave: Bash npm test');
    screen.type(command);
    screen.press('Enter');
    await screen.until(answer);
    screen.press('C-d');
    await screen.until('code: 0');
  });
});
