import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTmux } from '../../frontends/tui/TmuxScreen.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import { createMember, createStore } from '../sharedStore.js';
import {
  answered,
  openTerminal,
  openTerminalWith,
  PATIENCE_MILLISECONDS,
  pageOf,
  say,
} from './sharedTerminals.js';

describePostgres('two terminals in one conversation', (server) => {
  test.runIf(hasTmux()).each(['en', 'zh-CN'])(
    'show everything to both, each of whom speaks as itself; when one is gone the other continues (%s)',
    async (language) => {
      const owner = await createStore(server());
      const bob = await createMember(owner, server(), 'bob');
      const kim = await createMember(owner, server(), 'kim');
      const pages: string[] = [];
      const atBob = openTerminal(bob, 'laptop', '--lang', language);
      await atBob.until('@');
      say(atBob, 'Hello there.');
      await atBob.until(answered('Hello there.', 'turn-1'));
      const [session] = await server().admin(
        'SELECT id FROM huddle.conversation ORDER BY number DESC LIMIT 1',
      );

      const atKim = openTerminal(kim, 'desk', 'resume', String(session?.id), '--lang', language);
      const isHere = (rows: readonly string[]) => rows.some((row) => /bob@laptop.*kim/u.test(row));
      pages.push(pageOf('kim comes in', await atKim.until(isHere), kim));
      pages.push(pageOf('bob sees her', await atBob.until(' kim'), bob));
      say(atKim, 'And from me.');
      pages.push(pageOf('kim speaks', await atKim.until(answered('And from me.', 'turn-2')), kim));
      pages.push(pageOf('bob hears her', await atBob.until(answered('And from me.', 'turn-2')), bob));

      if (language === 'en') {
        execFileSync('kill', ['-9', String(atBob.programPid())]);
        pages.push(pageOf("bob's machine is gone", await atKim.until('machine is gone'), kim));
      } else {
        atBob.press('C-d');
        pages.push(pageOf('bob leaves', await atKim.until('bob 已退出'), kim));
      }
      // Nothing runs that could be paused, and nobody is there to do it.
      say(atKim, '/pause');
      const isRefused = (rows: readonly string[]) =>
        rows.some((row) => row.includes('"message"') || row.includes('"消息"'));
      pages.push(pageOf('kim asks for what needs a holder', await atKim.until(isRefused), kim));
      say(atKim, 'Then I continue.');
      pages.push(pageOf('kim continues', await atKim.until(answered('Then I continue.', 'turn-3')), kim));
      await expect(pages.join('\n')).toMatchFileSnapshot(
        join(import.meta.dirname, 'pages', `company-${language}.txt`),
      );
    },
    PATIENCE_MILLISECONDS * 3,
  );

  test.runIf(hasTmux())(
    'know in which store it is, who holds it, and that a turn is over whose machine is gone',
    async () => {
      const owner = await createStore(server());
      const bob = await createMember(owner, server(), 'bob');
      const kim = await createMember(owner, server(), 'kim');
      const pages: string[] = [];
      const hanging = { HOSTILE: 'hang', HOSTILE_MAX_LIFE_MS: '60000' };
      const atBob = openTerminalWith(hanging, bob, 'laptop');
      await atBob.until('@');
      say(atBob, 'Hello there.');
      await atBob.until('max is thinking');
      const [session] = await server().admin(
        'SELECT id FROM huddle.conversation ORDER BY number DESC LIMIT 1',
      );
      const atDesk = openTerminal(kim, 'desk', 'resume', String(session?.id));
      const atSofa = openTerminal(kim, 'sofa', 'resume', String(session?.id));
      await atSofa.until('max is thinking');
      await atDesk.until('max is thinking');
      say(atBob, '/status');
      pages.push(pageOf('the status of the holder', await atBob.until('version'), bob));
      say(atDesk, '/status');
      pages.push(pageOf('the status of a follower', await atDesk.until('version'), kim));

      execFileSync('kill', ['-9', String(atBob.programPid())]);
      const isOver = (rows: readonly string[]) => rows.join('\n').includes("max's turn was interrupted");
      pages.push(pageOf("bob's machine is gone", await atDesk.until(isOver), kim));
      await atSofa.until(isOver);
      say(atDesk, 'Then I continue.');
      await atDesk.until(answered('Then I continue.', 'turn-2'));
      pages.push(pageOf('the desk continues', atDesk.rows(), kim));
      pages.push(pageOf('the sofa follows', await atSofa.until(answered('Then I continue.', 'turn-2')), kim));
      await expect(pages.join('\n')).toMatchFileSnapshot(
        join(import.meta.dirname, 'pages', 'company-gone.txt'),
      );
    },
    PATIENCE_MILLISECONDS * 3,
  );
});
