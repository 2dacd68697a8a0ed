import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { hasTerminal, runInTerminal } from './pty.js';
import type { Machine } from './runHuddle.js';
import { answering, holdElsewhere, keepOne, machineWithTeam, outputOf } from './storedSessions.js';

const DAY = 86_400_000;

/** Keeps a copy of the latest session that was last changed so many days ago. */
async function keepOld(machine: Machine, id: string, days: number, cwd = machine.project): Promise<void> {
  await outputOf(machine, 'export', '--format', 'jsonl', '--output', 'log.jsonl');
  const log = readFileSync(join(machine.project, 'log.jsonl'), 'utf8');
  const old = machine.write('old.jsonl', log.replaceAll(/"at":\d+/gu, `"at":${Date.now() - days * DAY}`));
  await machine.run(['import', old, '--id', id], { cwd });
}

const idsIn = (json: string): string[] => JSON.parse(json).map(({ id }: { id: string }) => id);

test('huddle sessions --search finds text in titles and messages of this folder, or of all', async () => {
  const machine = machineWithTeam();
  const said = { HOSTILE_TEXT: '会话 cookies are signed. Straße.' };
  const one = await keepOne(machine, 'Where is it?', said);
  const two = await keepOne(machine, 'Review the COMMIT.');
  const found = async (...args: string[]) =>
    idsIn(await outputOf(machine, 'sessions', '--json', '--search', ...args));
  expect(await found('Signed')).toEqual([one]);
  expect(await found('会话')).toEqual([one]);
  expect(await found('commit')).toEqual([two]);
  expect(await found('e')).toEqual([two, one]);
  const elsewhere = await machine.run(['sessions', '--search', 'commit'], { cwd: machine.folder });
  expect(elsewhere).toMatchObject({ code: 0, stdout: '' });
  expect(elsewhere.stderr).toBe(
    'No saved session in this folder mentions "commit". To search all folders: huddle sessions --all --search "commit"\n',
  );
  const all = await machine.run(['sessions', '--all', '--search', 'commit'], { cwd: machine.folder });
  expect(all.stdout).toContain(two);
});

describe('a title', () => {
  test('can be given and taken back; the session keeps its place, its export and its import', async () => {
    const machine = machineWithTeam();
    const one = await keepOne(machine, 'Fix the login.');
    const two = await keepOne(machine, 'Review it.');
    expect(await outputOf(machine, 'rename', one, 'Login 错误')).toBe(`Renamed ${one}: Login 错误\n`);
    expect(idsIn(await outputOf(machine, 'sessions', '--json'))).toEqual([two, one]);
    expect(idsIn(await outputOf(machine, 'sessions', '--json', '--search', '错误'))).toEqual([one]);
    await outputOf(machine, 'export', one, '--format', 'jsonl', '--output', 'log.jsonl');
    await outputOf(machine, 'import', 'log.jsonl', '--id', 'copy');
    expect(await outputOf(machine, 'sessions')).toMatch(/^copy .* Login 错误 /mu);
    expect(await outputOf(machine, 'rename', one, '')).toBe(`Renamed ${one}: Fix the login.\n`);
    const more = await machine.run(['resume', one, 'More.', '--trust'], { env: answering });
    expect(more).toMatchObject({ code: 0, stdout: 'Done.\n' });
  });

  test('of a session that is open elsewhere stays, and the error says where it is open', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    holdElsewhere(machine);
    const { code, stderr } = await machine.run(['rename', id, 'Mine']);
    expect(code).toBe(75);
    expect(stderr).toMatch(/^error\[CONVERSATION_LOCKED\]: .*process 4711 on elsewhere/u);
  });

  test.skipIf(!hasTmux())('can be given in the session itself', { timeout: 60_000 }, async () => {
    const machine = machineWithTeam();
    await machine.trust();
    const screen = new TmuxScreen({
      program: '../../../dist/cli/huddle.js',
      args: ['Fix the login.'],
      folder: machine.project,
      env: { ...machine.env, ...answering },
    });
    await screen.until('waiting for you');
    screen.type('/rename Login bug');
    screen.press('Enter');
    await screen.until('Renamed: Login bug');
    screen.press('C-d');
    await screen.until('code: 0');
    expect(await outputOf(machine, 'sessions')).toContain('Login bug');
  });
});

describe('huddle delete --older-than', () => {
  test('lists what is old in this folder and deletes it with --yes; the rest stays', async () => {
    const machine = machineWithTeam();
    const now = await keepOne(machine, 'Now.');
    await keepOld(machine, 'month', 31);
    await keepOld(machine, 'week', 8);
    await keepOld(machine, 'elsewhere', 99, machine.folder);
    const unasked = await machine.run(['delete', '--older-than', '1w']);
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain("Can't ask here (no terminal). Add --yes to delete 2 sessions.");
    expect(unasked.stdout).toMatch(/^week .*\nmonth /mu);
    const some = await outputOf(machine, 'delete', '--older-than', '30D', '--yes');
    expect(some).toMatch(/^month [\s\S]*\nDeleted: month\n$/mu);
    expect(idsIn(await outputOf(machine, 'sessions', '--all', '--json'))).toEqual(['elsewhere', 'week', now]);
    expect(await outputOf(machine, 'delete', '--older-than', '24h', '--all', '--yes')).toContain(
      'Deleted: elsewhere\nDeleted: week\n',
    );
    const nothing = await machine.run(['delete', '--older-than', '24h', '--yes']);
    expect(nothing).toMatchObject({ code: 0, stdout: '' });
    expect(nothing.stderr).toBe('No saved sessions older than 24h in this folder. All folders: add --all\n');
  });

  test('leaves what ended just now, also when the clock was set back meanwhile', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    const log = (await outputOf(machine, 'export', '--format', 'jsonl')).split('\n').filter(Boolean);
    const setBack = log.map((line, index) =>
      index < 2 ? line : line.replace(/"at":\d+/u, `"at":${Date.now() - 3 * DAY + index}`),
    );
    await outputOf(machine, 'delete', id, '--yes');
    machine.write('log.jsonl', `${setBack.join('\n')}\n`);
    await outputOf(machine, 'import', 'log.jsonl');
    const nothing = await machine.run(['delete', '--older-than', '12h', '--yes']);
    expect(nothing).toMatchObject({ code: 0, stdout: '' });
    expect(idsIn(await outputOf(machine, 'sessions', '--json'))).toEqual([id]);
  });

  test('leaves what is open elsewhere', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    await keepOld(machine, 'month', 31);
    holdElsewhere(machine);
    expect(await machine.run(['delete', '--older-than', '1d', '--yes'])).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  test.each(['30', 'd', '0d', '5m', '-1d', '1.5d'])('refuses %s, which is no age', async (age) => {
    const { code, stderr } = await machineWithTeam().run(['delete', `--older-than=${age}`, '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('It must be a number of hours, days or weeks: 12h, 30d or 8w.');
  });
});

describe.skipIf(!hasTerminal)('a question with [y/N]', () => {
  test.each([
    ['y', true],
    ['Y', true],
    [' yes ', true],
    ['YES', true],
    ['', false],
    ['n', false],
    ['yeah', false],
  ])('is answered by %j', async (answer, isYes) => {
    const machine = machineWithTeam();
    const trusted = await runInTerminal(machine, { args: ['trust'], input: `${answer}\r` });
    expect(trusted.code).toBe(isYes ? 0 : 77);
    const id = await keepOne(machine);
    const { code, screen } = await runInTerminal(machine, { args: ['delete', id], input: `${answer}\r` });
    expect(code).toBe(isYes ? 0 : 1);
    expect(screen).toContain(isYes ? `Deleted: ${id}` : 'Not deleted.');
  });
});
