import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import type { Machine } from './runHuddle.js';
import { keepOne, machineWithTeam } from './storedSessions.js';

function startHuddle({ env, project }: Machine, args: readonly string[], columns = 80): TmuxScreen {
  return new TmuxScreen({
    program: '../../../dist/cli/huddle.js',
    args,
    columns,
    folder: project,
    env,
  });
}

/** A machine with three saved sessions, the last one about the wiki. */
async function machineWithSessions(): Promise<Machine> {
  const machine = machineWithTeam();
  await machine.trust();
  for (const message of ['Fix the login form.', 'Review the last commit.', 'Write the 维基 page.'])
    await keepOne(machine, message);
  return machine;
}

describe.skipIf(!hasTmux())('huddle resume without an id in a terminal', { timeout: 60_000 }, () => {
  test('offers the sessions of this folder, the last one first, and opens the marked one', async () => {
    const machine = await machineWithSessions();
    const screen = startHuddle(machine, ['resume']);
    const rows = await screen.until('Esc to cancel (1/3)');
    const list = rows.slice(rows.indexOf('Resume which session?'));
    expect(list[1]).toMatch(/^❯ Write the 维基 page\. +\S+ \S+ +done +kim, max, sarah$/u);
    expect(list[2]).toMatch(/^ {2}Review the last commit\. /u);
    expect(list[3]).toMatch(/^ {2}Fix the login form\. /u);
    screen.press('Down');
    await screen.until('(2/3)');
    screen.press('Enter');
    await screen.until('waiting for you');
    const shown = await screen.until('Review the last commit.');
    expect(shown.join('\n')).not.toContain('Esc to cancel (');
    screen.press('C-d');
    await screen.until('code: 0');
  });

  test('finds a session by what is typed, in any language', async () => {
    const machine = await machineWithSessions();
    const screen = startHuddle(machine, ['resume'], 40);
    await screen.until('Resume which session?');
    screen.type('LOGIN');
    await screen.until(
      (rows) => rows.includes('Resume which session? LOGIN') && !rows.join().includes('Review'),
    );
    screen.press('C-u');
    screen.type('nothing');
    await screen.until('No matching session');
    screen.press('Enter');
    screen.press('C-u');
    screen.type('维基');
    await screen.until((rows) => !rows.join().includes('login') && rows.join().includes('❯ Write the'));
    screen.press('Enter');
    await screen.until('Write the 维基 page.');
    await screen.until('waiting for you');
  });

  test.each([['Escape'], ['C-c'], ['C-d']])('is left with %s, and gives the terminal back', async (key) => {
    const screen = startHuddle(await machineWithSessions(), ['resume']);
    await screen.until('Resume which session?');
    screen.press(key);
    const rows = await screen.until('code: 130');
    expect(rows.join('\n')).not.toContain('Resume which session?');
    expect(rows).toContain('icanon');
  });

  test('asks for a number in plain lines', async () => {
    const screen = startHuddle(await machineWithSessions(), ['resume', '--plain']);
    const rows = await screen.until('Resume which session? [1-3, Enter for 1]');
    expect(rows.join('\n')).toMatch(/1\. Write the 维基 page\. .*\n2\. Review .*\n3\. Fix /u);
    screen.type('3');
    screen.press('Enter');
    await screen.until('Fix the login form.');
    await screen.until((shown) => shown.at(-1) === '>');
  });
});
