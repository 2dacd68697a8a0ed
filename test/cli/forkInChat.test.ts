import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import type { Machine } from './runHuddle.js';
import { machineWithTeam, outputOf } from './storedSessions.js';

async function startTeam(size = {}): Promise<{ machine: Machine; screen: TmuxScreen }> {
  const machine = machineWithTeam();
  await machine.trust();
  const env = { ...machine.env, HOSTILE: 'fixed', HOSTILE_TEXT: 'Signed cookies.' };
  const program = '../../../dist/cli/huddle.js';
  const screen = new TmuxScreen({
    program,
    args: [],
    columns: 100,
    rows: 40,
    folder: machine.project,
    env,
    ...size,
  });
  await screen.until('Type a message.');
  return { machine, screen };
}

function submit(screen: TmuxScreen, line: string): void {
  screen.type(line);
  screen.press('Enter');
}

async function ask(screen: TmuxScreen, line: string): Promise<void> {
  submit(screen, line);
  await screen.until('Signed cookies.');
  await screen.until('waiting for you');
}

async function sessionsOf(
  machine: Machine,
): Promise<{ id: string; forkedFrom?: string; messages: number }[]> {
  return JSON.parse(await outputOf(machine, 'sessions', '--json'));
}

describe.skipIf(!hasTmux())('a fork in the terminal', { timeout: 60_000 }, () => {
  test('/fork saves a copy and stays', async () => {
    const { machine, screen } = await startTeam();
    submit(screen, '/fork');
    await screen.until('No messages yet.');
    await ask(screen, '@max Where is it set?');
    submit(screen, '/fork');
    await screen.until('To switch to it: /resume');
    const [fork, original] = await sessionsOf(machine);
    expect(fork?.forkedFrom).toBe(original?.id);
    submit(screen, '/fork 9');
    await screen.until('No message "9" in this conversation. The nearest is msg-2.');
    screen.press('C-u');
    submit(screen, '/cost');
    await screen.until('total');
    submit(screen, `/resume ${fork?.id}`);
    await screen.until('To return: /resume');
    await screen.until('Your turn.');
  });

  test('/rewind goes back to a message in a copy; without one it lists them', async () => {
    const { machine, screen } = await startTeam({ columns: 80, rows: 24 });
    submit(screen, '/rewind');
    await screen.until('No messages yet.');
    await ask(screen, '@max Where is it set?');
    submit(screen, '/rewind');
    await screen.until('Name the message to go back to:');
    await screen.until('For instance: /rewind 2.');
    await screen.until('kim: @max Where is it set?');
    submit(screen, '/rewind 1');
    await screen.until('up to msg-1.');
    await screen.until('To return: /resume');
    await screen.until('Your turn.');
    const [fork, original] = await sessionsOf(machine);
    expect([fork?.messages, original?.messages]).toEqual([1, 2]);
    await ask(screen, '@sarah And in the fork?');
    expect((await sessionsOf(machine))[0]).toMatchObject({ id: fork?.id, messages: 3 });
  });
});
