import { describe, expect, test } from 'vitest';
import { hostileCommand } from '../agents/acp/hostileAcpAgent.js';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { hasTerminal, type OpenTerminal, openTerminal } from './pty.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';
import { createSquad } from './squad.js';

const BEL = '\x07';
const [PUSH, POP] = ['\x1b[22;0t', '\x1b[23;0t'];
const title = (text: string): string => `\x1b]0;${text}${BEL}`;

/** Bells that do not end something else. */
function bellsIn(terminal: OpenTerminal): number {
  return (
    terminal
      .shown()
      .replaceAll(/\x1b\][^\x07]*\x07/gu, '')
      .split(BEL).length - 1
  );
}

async function askingMachine(): Promise<Machine> {
  const machine = createMachine();
  machine.write(
    'huddle.jsonc',
    teamFile({ olga: { agentType: 'acp', command: hostileCommand('asksbash') } }),
  );
  await machine.trust();
  return machine;
}

describe.skipIf(!hasTerminal)('the title of the terminal', { timeout: 60_000 }, () => {
  test('says what the team does, and is given back at the end', async () => {
    const squad = await createSquad({ limits: { agentTurns: 1 } });
    squad.hold('max');
    const terminal = openTerminal(squad.machine);
    await terminal.until(`${PUSH}${title('project — huddle')}`);
    terminal.type('Go.\r');
    await terminal.until(title('✳ max · project — huddle'));
    squad.release('max');
    await terminal.until(title('project — huddle'));
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toContain(`${title('')}${POP}`);
    expect(terminal.shown().split(PUSH)).toHaveLength(2);
  });

  test.each([
    ['--plain', ['--plain'], {}],
    ['CI', [], { CI: 'true' }],
  ])('is left alone with %s, and nothing rings', async (_name, args, env) => {
    const { machine } = await createSquad({ limits: { agentTurns: 1 } });
    const terminal = openTerminal(machine, { args, env });
    await terminal.until('> ');
    terminal.type('Go.\n');
    await terminal.until('Paused: 1 agent turn in a row');
    await terminal.until('> ');
    terminal.type('/exit\n');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).not.toMatch(/[\x1b\x07]/u);
  });

  test('is left alone in a console that would print it; that one rings', async () => {
    const { machine } = await createSquad({ limits: { agentTurns: 1 } });
    const terminal = openTerminal(machine, { env: { TERM: 'linux' } });
    await terminal.until('Type a message.');
    terminal.type('Go.\r');
    await terminal.until(BEL);
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).not.toContain('\x1b]');
    expect(terminal.shown()).not.toContain(PUSH);
    expect(terminal.shown()).not.toContain(POP);
  });
});

describe.skipIf(!hasTerminal)('a call', { timeout: 60_000 }, () => {
  test('comes when an agent asks for permission, once', async () => {
    const machine = await askingMachine();
    const terminal = openTerminal(machine);
    await terminal.until('Type a message.');
    terminal.type('Do the tests pass?\r');
    await terminal.until(`${BEL}\x1b]9;Huddle: olga needs approval (project)${BEL}`);
    await terminal.until('y⏎ allow');
    terminal.type('n\r');
    await terminal.until('waiting for you');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toContain(title('? olga needs approval · project — huddle'));
    expect(bellsIn(terminal)).toBe(1);
  });

  test.each([
    ['OSC 9', {}, '\x1b]9;Huddle: paused at a limit (project)'],
    ['OSC 777', { TERM: 'foot' }, '\x1b]777;notify;Huddle;Huddle: paused at a limit (project)'],
    ['OSC 777', { VTE_VERSION: '7600' }, '\x1b]777;notify;Huddle;Huddle: paused at a limit (project)'],
  ])('comes when a limit pauses, by %s alone (%j)', async (_name, env, call) => {
    const { machine } = await createSquad({ limits: { agentTurns: 1 } });
    const terminal = openTerminal(machine, { env });
    await terminal.until('Type a message.');
    terminal.type('Go.\r');
    await terminal.until(`${BEL}${call}${BEL}`);
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown().match(/\x1b\](?:9|777);/gu)).toHaveLength(1);
  });

  test('does not come for a turn that a person stopped, nor after a short one', async () => {
    const squad = await createSquad();
    squad.hold('max');
    const terminal = openTerminal(squad.machine);
    await terminal.until('Type a message.');
    terminal.type('Go.\r');
    await terminal.until('max is thinking');
    terminal.type('\x1b');
    await terminal.until('max was stopped.');
    terminal.type('/exit\r');
    expect(await terminal.ended).toBe(0);
    expect(bellsIn(terminal)).toBe(0);
  });
});

describe.skipIf(!hasTmux())('in tmux', { timeout: 60_000 }, () => {
  test('a call shows nothing on the screen', async () => {
    const { env, project } = await askingMachine();
    const screen = new TmuxScreen({
      program: '../../../dist/cli/huddle.js',
      args: [],
      folder: project,
      env,
    });
    await screen.until('Type a message.');
    screen.type('Do the tests pass?');
    screen.press('Enter');
    const rows = await screen.until('y⏎ allow');
    expect(screen.bytes()).toContain('\x1b]9;Huddle: olga needs approval (project)');
    expect(rows.join('\n')).not.toMatch(/\]9|\]0;|huddle$|Huddle:/mu);
  });
});
