import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { createMachine, type Machine, root, teamFile } from './runHuddle.js';
import { createSquad } from './squad.js';
import { machineWithTeam } from './storedSessions.js';

function startHuddle({ env, project }: Machine, args: readonly string[] = [], columns = 100): TmuxScreen {
  return new TmuxScreen({
    program: '../../../dist/cli/huddle.js',
    args,
    columns,
    folder: project,
    env,
  });
}

const slowDisk = join(root, 'test', 'fixtures', 'slow-disk.cjs');

/** Makes the program wait for its record of trust, as on a slow disk, until the returned function is called. */
function holdOpening({ folder }: Machine): {
  env: Readonly<Record<string, string>>;
  release: (content?: string) => void;
} {
  const record = join(folder, 'data', 'trust.json');
  writeFileSync(`${record}.held`, '');
  return {
    env: { NODE_OPTIONS: `--require ${slowDisk}`, SLOW_FILE: record },
    release: (content) => {
      if (content !== undefined) writeFileSync(record, content);
      rmSync(`${record}.held`);
    },
  };
}

/** The program at the moment before it is open, and how to let it go on. */
async function startHeld(
  team = {},
  columns = 100,
): Promise<{ screen: TmuxScreen; release: (record?: string) => void }> {
  const { machine } = await createSquad(team);
  const { env, release } = holdOpening(machine);
  const screen = startHuddle({ ...machine, env: { ...machine.env, ...env } }, [], columns);
  await screen.until('opening …');
  return { screen, release };
}

describe.skipIf(!hasTmux())('a terminal that is still opening', { timeout: 60_000 }, () => {
  test('can be typed in: what was sent is sent when somebody can hear it, the rest stays', async () => {
    const { screen, release } = await startHeld({ limits: { agentTurns: 1 } });
    screen.press('Enter');
    screen.type('Go. [NEXT: max]');
    screen.press('Enter');
    screen.type('And 然后?');
    release();
    await screen.until('Enter to continue, or type a message.');
    await screen.until('And 然后?');
    const rows = screen.everything();
    expect(rows.filter((row) => row === '  Go.')).toHaveLength(1);
    expect(rows).toContain('› kim  → max');
    expect(rows.at(-3)).toBe('  And 然后?');
  });

  test.each([40, 80, 120])('looks as the editor will look, in %d columns', async (columns) => {
    const { screen, release } = await startHeld({}, columns);
    const rule = '─'.repeat(columns);
    expect(screen.rows().slice(0, 5)).toEqual(['', rule, '', rule, '  opening …']);
    expect(screen.cursor()).toBe('2,2,1');
    release();
    const rows = await screen.until('ready');
    expect(rows.slice(-4)).toEqual([rule, '  Type a message, or ? for keys', rule, '  ready']);
    expect(screen.cursor()).toMatch(/^2,\d+,1$/u);
    expect(screen.everything().join('\n')).not.toContain('opening');
  });

  test('keeps a paste together: its lines are not sent one by one', async () => {
    const { screen, release } = await startHeld();
    screen.paste('first line\nsecond line\n');
    release();
    const rows = await screen.until('second line');
    expect(rows.join('\n')).toMatch(/─\n {2}first line\n {2}second line\n/u);
    expect(rows.join('\n')).not.toContain('› kim  →');
  });

  test('takes the end of input for a wish to leave', async () => {
    const { screen, release } = await startHeld();
    screen.press('C-d');
    release();
    await screen.until('No messages, so nothing was saved.');
    await screen.until('code: 0');
  });

  test('gives back what was typed when it cannot open', async () => {
    const { screen, release } = await startHeld();
    screen.type('Go. [NEXT: max]');
    screen.press('Enter');
    screen.type('And 然后?');
    release('{');
    const rows = await screen.until('icanon');
    expect(rows.join('\n')).toMatch(/^error\[TRUST_RECORD_DAMAGED\]/u);
    expect(rows.slice(-5)).toEqual([
      'What you typed was not sent:',
      'Go. [NEXT: max]',
      'And 然后?',
      'code: 77',
      'icanon',
    ]);
  });

  test.each([
    ['Ctrl-C', 130, (screen: TmuxScreen) => screen.press('C-c')],
    ['SIGTERM', 143, (screen: TmuxScreen) => process.kill(screen.programPid(), 'SIGTERM')],
    ['SIGHUP', 129, (screen: TmuxScreen) => process.kill(screen.programPid(), 'SIGHUP')],
  ])('ends at once on %s', async (_name, code, end) => {
    const { screen } = await startHeld();
    end(screen);
    const rows = await screen.until('icanon');
    expect(rows.slice(-2)).toEqual([`code: ${code}`, 'icanon']);
    expect(rows.join('\n')).not.toMatch(/opening|──/);
  });

  test('gives way to a question, and comes back after it', async () => {
    const screen = startHuddle(machineWithTeam());
    const asked = await screen.until('[y/N]');
    expect(asked.join('\n')).not.toMatch(/opening|──/);
    screen.type('yes');
    screen.press('Enter');
    await screen.until('Type a message.');
    await screen.until('ready');
    screen.press('C-d');
    await screen.until('code: 0');
  });

  test.each([
    ['a team file that is wrong', [], 78],
    ['a session that is not there', ['resume', 'nowhere'], 2],
    ['no session at all', ['-c'], 2],
  ])('leaves nothing on the screen but the reason: %s', async (_name, args, code) => {
    const machine = createMachine();
    machine.write('huddle.jsonc', args.length === 0 ? '{ "version": 1, }' : teamFile({}));
    const screen = startHuddle(machine, args);
    const rows = await screen.until('icanon');
    expect(rows[0]).toMatch(/^error\[/u);
    expect(rows.slice(-2)).toEqual([`code: ${code}`, 'icanon']);
    expect(rows.join('\n')).not.toMatch(/opening|──/);
  });

  test('says above the conversation what was said meanwhile', async () => {
    const machine = createMachine();
    machine.install('claude');
    await machine.trust();
    const screen = startHuddle(machine);
    await screen.until('Type a message.');
    const rows = screen.everything();
    expect(rows.filter((row) => row.includes('using the CLIs installed here'))).toHaveLength(1);
    expect(rows.join('\n')).not.toContain('opening');
  });
});
