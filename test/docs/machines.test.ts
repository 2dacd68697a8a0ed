import { expect, test } from 'vitest';
import { describePostgres } from '../postgres/describePostgres.js';
import { type Page, page } from './pages.js';
import { playPage } from './playPage.js';

const machines = page('docs/machines.md');

/** The page with the commands of one person alone. */
function pageFor(person: string): Page {
  const isHis = (words: readonly string[]) => !words.includes('run') || words.includes(`on=${person}`);
  return { ...machines, fences: machines.fences.filter(({ words }) => isHis(words)) };
}

describePostgres(
  'the page on many machines',
  (server) => {
    test('sets up a store, and two people share a conversation, as it says', async () => {
      await server().admin('CREATE ROLE owner LOGIN CREATEROLE');
      await server().admin('CREATE DATABASE huddle OWNER owner');
      const env = { DB: new URL(server().url()).host };
      for (const person of ['owner', 'kim', 'bob']) {
        const played = await playPage(pageFor(person), undefined, env);
        expect(played.length).toBeGreaterThan(2);
        expect(played.filter(({ fits }) => !fits)).toEqual([]);
      }
    }, 180_000);
  },
  // Its roles and its database have the names of the page.
  { alone: true },
);

test('every command of the page is run on the machine of somebody', () => {
  const run = machines.fences.filter(({ words }) => words.includes('run'));
  expect(run.filter(({ words }) => !words.some((word) => /^on=(?:owner|kim|bob)$/u.test(word)))).toEqual([]);
});
