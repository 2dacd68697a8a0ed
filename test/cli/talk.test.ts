import { dirname } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';

const open: TmuxScreen[] = [];

afterEach(() => {
  for (const screen of open.splice(0)) screen.close();
});

/** `huddle` alone, where nothing is installed but Node. */
function startHuddle(): TmuxScreen {
  const screen = new TmuxScreen({
    program: '../../../dist/cli/huddle.cjs',
    args: [],
    columns: 100,
    rows: 40,
    env: { PATH: dirname(process.execPath), HUDDLE_HOME: '/nonexistent' },
  });
  open.push(screen);
  return screen;
}

describe.skipIf(!hasTmux())('huddle alone in a terminal', { timeout: 60_000 }, () => {
  test('shows a conversation of stand-ins at once, answers what is typed, and leaves on Ctrl-D', async () => {
    const screen = startHuddle();
    await screen.until('Nothing, as long as the old key is accepted');
    await screen.until('waiting for you');
    screen.type('And what about 小明? [NEXT: codex]');
    screen.press('Enter');
    await screen.until('codex here, in rehearsal. I was asked: "And what about 小明?"');
    await screen.until('waiting for you');
    screen.press('C-d');
    await screen.until('code: 0');
    expect(screen.everything().join('\n')).toContain('A rehearsal: built-in stand-ins answer.');
  });
});
