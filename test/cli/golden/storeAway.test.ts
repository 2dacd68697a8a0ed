import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasTmux, type TmuxScreen } from '../../frontends/tui/TmuxScreen.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import type { TestPostgres } from '../../postgres/TestPostgres.js';
import { SilentWire } from '../../store/postgres/SilentWire.js';
import type { Machine } from '../runHuddle.js';
import { createMember, createStore, succeed } from '../sharedStore.js';
import { answered, openTerminal, PATIENCE_MILLISECONDS, pageOf, say } from './sharedTerminals.js';

const LANGUAGES = ['en', 'zh-CN'] as const;
type Language = (typeof LANGUAGES)[number];

/** What the screen says in each language. */
const SIGNS = {
  en: { silent: 'the store does not answer', tries: 'keeps trying', away: 'is out of reach', back: 'No one' },
  'zh-CN': { silent: '共享存储无响应', tries: '会继续重连', away: '无法连接', back: '没有人' },
} as const;
const TYPED = 'Is anybody there?';

/** The store of a machine at the end of a wire. */
async function wireUp(server: TestPostgres, machine: Machine, role: string): Promise<SilentWire> {
  const wire = await SilentWire.overTcp(server.url(role));
  onTestFinished(() => wire.close());
  await succeed(machine, 'store', 'add', 'work', wire.url, '--force');
  return wire;
}

/** Screens with a silence in the status line show as many seconds as they are waited for. */
function silentFor(seconds: number, language: Language): (rows: readonly string[]) => boolean {
  const status = SIGNS[language].silent + (language === 'en' ? ` (${seconds} s)` : `（${seconds}s）`);
  return (rows) => rows.some((row) => row.includes(status));
}

/** The text is in the editor again: between its two rules. */
function isPutBack(rows: readonly string[]): boolean {
  return rows.some((row, index) => row === `  ${TYPED}` && rows[index + 1]?.startsWith('───') === true);
}

function pagesOf(screen: TmuxScreen, machine: Machine) {
  const pages: string[] = [];
  return {
    pages,
    /** Adds the screen when it shows this. */
    add: async (title: string, isThere: (rows: string[]) => boolean) => {
      const rows = await screen.until(isThere);
      const page = pageOf(title, rows, machine);
      const shown = page.replaceAll(/test_\w+/gu, 'DATABASE');
      // How long it takes until a message is given up differs by seconds.
      pages.push(shown.replaceAll(/(?<=[（(])(?!8 ?s)\d+(?= ?s[)）])/gu, 'NN'));
    },
  };
}

describePostgres('a terminal whose database goes away', (server) => {
  /** Bob holds a conversation. */
  async function hold(owner: Machine, language: Language): Promise<readonly string[]> {
    const bob = await createMember(owner, server(), 'bob');
    const wire = await wireUp(server(), bob, 'bob');
    const screen = openTerminal(bob, 'laptop', '--lang', language);
    const { pages, add } = pagesOf(screen, bob);
    await screen.until('@');
    say(screen, 'Hello there.');
    await screen.until(answered('Hello there.', 'turn-1'));
    wire.fallSilent();
    say(screen, 'Wait for it.');
    await add('away for a moment', silentFor(8, language));
    wire.speakAgain();
    await add('back before anyone could take over', answered('Wait for it.', 'turn-2'));

    wire.fallSilent();
    say(screen, TYPED);
    await add('away for long', (rows) => rows.join('\n').includes(SIGNS[language].tries));
    await add('what was typed is put back', isPutBack);
    // Nothing of it is on its way any more.
    wire.breakAll();
    wire.speakAgain();
    await add('back', (rows) => {
      const status = rows.at(-1) ?? '';
      return (
        rows.join('\n').includes(SIGNS[language].back) &&
        !status.includes(SIGNS[language].silent) &&
        status.includes('bob')
      );
    });
    screen.press('Enter');
    await add('it is sent', answered(`\n  ${TYPED}`, 'turn-3'));
    return pages;
  }

  /** Kim follows one. */
  async function follow(owner: Machine, language: Language): Promise<readonly string[]> {
    const bob = await createMember(owner, server(), 'bob');
    const kim = await createMember(owner, server(), 'kim');
    const id = await startHolding(bob, `Hello, in ${language}.`);
    const wire = await wireUp(server(), kim, 'kim');
    const screen = openTerminal(kim, 'desk', 'resume', id, '--lang', language);
    const { pages, add } = pagesOf(screen, kim);
    await screen.until((rows) => rows.some((row) => /bob@laptop.*kim/u.test(row)));
    wire.fallSilent();
    say(screen, TYPED);
    await add('a follower: away', silentFor(8, language));
    await add('a follower: what was typed is put back', isPutBack);
    wire.breakAll();
    wire.speakAgain();
    await screen.until((rows) => !rows.at(-1)?.includes(SIGNS[language].silent));
    screen.press('Enter');
    await add('a follower: it is sent', answered(`\n  ${TYPED}`, 'turn-2'));
    return pages;
  }

  /** A terminal of bob that has said something; gives the session. */
  async function startHolding(bob: Machine, greeting: string): Promise<string> {
    const screen = openTerminal(bob, 'laptop');
    await screen.until('@');
    say(screen, greeting);
    await screen.until(answered(greeting, 'turn-1'));
    const sessions: { id: string; title: string }[] = JSON.parse(
      await succeed(bob, 'sessions', '--all', '--store', 'work', '--json'),
    );
    return sessions.find(({ title }) => title === greeting)?.id ?? '';
  }

  test.runIf(hasTmux()).each(LANGUAGES)(
    'shows for how long, keeps what was typed in view, and puts it back when it could not be saved (%s)',
    async (language) => {
      const owner = await createStore(server());
      const pages = await Promise.all([hold(owner, language), follow(owner, language)]);
      await expect(pages.flat().join('\n')).toMatchFileSnapshot(
        join(import.meta.dirname, 'pages', `store-away-${language}.txt`),
      );
    },
    PATIENCE_MILLISECONDS * 4,
  );
});
