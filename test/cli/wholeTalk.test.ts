import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { createSquad } from './squad.js';
import { outputOf } from './storedSessions.js';

describe.skipIf(!hasTmux())('a whole conversation at a terminal', { timeout: 180_000 }, () => {
  test('of thirty turns is held, stopped, left, taken up again and written down', async () => {
    const squad = await createSquad();
    const { machine } = squad;
    const start = (...args: readonly string[]): TmuxScreen => {
      return new TmuxScreen({
        program: '../../../dist/cli/huddle.js',
        args,
        env: machine.env,
        folder: machine.project,
        patienceMilliseconds: 60_000,
      });
    };

    const evening = start();
    await evening.until('Type a message.');
    evening.type('/task Build a login for the team wiki');
    evening.press('Enter');
    await evening.until('Team task: Build a login for the team wiki');
    evening.type('Begin. @max');
    evening.press('Enter');
    // Three members hand over in a circle until the limit of turns without a person.
    await evening.until('Paused: 20 agent turns in a row.');
    await evening.until('Enter to continue');
    evening.press('Enter');
    await evening.until('I would ship it. 就这样。');
    await evening.until('waiting for you');
    squad.hold('carol');
    evening.type('@ca');
    await evening.until('→ carol');
    evening.press('Tab');
    evening.type('还有什么？');
    evening.press('Enter');
    await evening.until('carol is thinking');
    evening.press('Escape');
    await evening.until('carol was stopped.');
    evening.press('C-d');
    await evening.until('Saved as ');

    squad.release('carol');
    const morning = start('resume');
    await morning.until("carol's turn-28 did not finish.");
    await morning.until('/retry reruns unfinished turns.');
    expect(morning.everything().join('\n')).toMatch(/\d+ earlier messages not shown here; huddle show/);
    morning.type('/retry');
    morning.press('Enter');
    await morning.until('turn-29');
    morning.type('/why');
    morning.press('Enter');
    await morning.until('turn-29: prompt sent to carol');
    morning.type('Thanks. [NEXT: max]');
    morning.press('Enter');
    await morning.until('Then we are done. 谢谢大家！');
    await morning.until((rows) => rows.some((row) => row.endsWith('turn-30')));
    morning.type('/quit');
    morning.press('Enter');
    await morning.until('code: 0');

    const written = await outputOf(machine, 'export');
    const speakers = Array.from(written.matchAll(/^## (\S+).* \d\d:\d\d:\d\d$/gmu), ([, name]) => name);
    const circle = ['max', 'sarah', 'carol'];
    expect(speakers).toEqual([
      'kim',
      'kim',
      ...Array(9).fill(circle).flat(),
      'kim',
      'carol',
      'carol',
      'kim',
      'max',
    ]);
  });
});
