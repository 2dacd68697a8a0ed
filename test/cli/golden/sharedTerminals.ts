import { join } from 'node:path';
import { TmuxScreen } from '../../frontends/tui/TmuxScreen.js';
import { type Machine, root } from '../runHuddle.js';
import { DONE } from '../sharedStore.js';
import { ID } from '../storedSessions.js';

/** A lease is over after 15 seconds; machines are slow. */
export const PATIENCE_MILLISECONDS = 45_000;

/** A terminal of a person on a machine with a name of its own. */
export function openTerminal(machine: Machine, host: string, ...args: readonly string[]): TmuxScreen {
  return openTerminalWith(DONE, machine, host, ...args);
}

/** The same, with agents that do what this environment says. */
export function openTerminalWith(
  agents: Readonly<Record<string, string>>,
  machine: Machine,
  host: string,
  ...args: readonly string[]
): TmuxScreen {
  return new TmuxScreen({
    program: '../../../dist/cli/huddle.js',
    args: ['--store', 'work', ...args],
    folder: machine.project,
    patienceMilliseconds: PATIENCE_MILLISECONDS,
    env: {
      ...machine.env,
      ...agents,
      TERM: 'xterm-256color',
      TEST_HOST: host,
      NODE_OPTIONS: `--require ${join(root, 'test', 'fixtures', 'named-host.cjs')}`,
    },
  });
}

/** What is on a screen, without what differs from run to run. */
export function pageOf(title: string, rows: readonly string[], machine: Machine): string {
  const shown = rows
    .join('\n')
    .replaceAll(machine.project, '~/project')
    .replaceAll(new RegExp(ID, 'gu'), 'SESSION');
  const timeless = shown
    // At the right of the screen, further to the left the longer the time is.
    .replaceAll(/ {2,}\d+(?:\.\d)? ?s(?= · )/gu, '  N.Ns')
    .replaceAll(/\d+\.\d ?s\b/gu, 'N.Ns')
    .replaceAll(/(?<!\()\b\d+ s\b/gu, 'N s')
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gu, '⠋')
    .replaceAll(/ {2,}(?=Esc to stop)/gu, '  ');
  return `# ${title}\n${timeless.replaceAll(/process \d+/gu, 'process N')}\n`;
}

/** Rows in which a turn has ended after a message, and nothing runs any more. */
export function answered(text: string, turn: string): (rows: readonly string[]) => boolean {
  return (rows) => {
    const [, after] = rows.join('\n').split(text);
    return after?.includes(turn) === true && !/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u.test(after);
  };
}

export function say(screen: TmuxScreen, text: string): void {
  screen.type(text);
  screen.press('Enter');
}
