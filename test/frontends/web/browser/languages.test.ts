import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeInBrowser } from './inBrowser.js';
import { type Language, Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

const CHINESE = /\p{Script=Han}/u;
const ENGLISH = /Undo|Undone|Applied|Apply|Cancel|nothing was touched|Nothing|changed|restore|write|remove/u;

const MIXED: readonly (readonly [server: string, locale: Language, own: RegExp, other: RegExp])[] = [
  ['zh-CN', 'en-US', ENGLISH, CHINESE],
  ['en', 'zh-CN', CHINESE, ENGLISH],
];

describeInBrowser('a page in another language than its server', (browser) => {
  describe.each(MIXED)('%s, with a page in %s', (server, locale, own, other) => {
    test('speaks its own language in every plan, refusal and result of an undo and an apply', async () => {
      const machine = await createScene();
      const team = JSON.parse(readFileSync(join(machine.project, 'huddle.jsonc'), 'utf8'));
      for (const member of team.members) if (member.name === 'bob') member.workspace = 'copy';
      machine.write('huddle.jsonc', JSON.stringify(team));
      await machine.trust();
      machine.write('src/server.ts', BEFORE);
      const kim = await Visitor.enter(browser, await WebServer.start(machine, ['--lang', server]), {
        locale,
      });
      const id = await kim.begin();
      await kim.say('@ann scene:reply reply=plan');
      await kim.reads('turn-1');
      await kim.page.goto(`${new URL(kim.page.url()).origin}/c/${id}/changes/turn-1`);
      const box = kim.page.locator('.undo-or-apply');
      const seen: string[] = [];
      /** Presses the first button of the box, or the last; what it then shows has been read. */
      const press = async (which: 'first' | 'last', shown: string): Promise<void> => {
        await box.locator('button')[which]().click();
        await box.locator(shown).waitFor();
        seen.push(await box.innerText());
      };
      const confirm = async (): Promise<void> => {
        await box.locator('button').last().click();
        const done = kim.page.getByText(/Undone|Applied|已撤销|已应用/u).first();
        await done.waitFor({ state: 'attached' });
        seen.push(await done.innerText());
      };
      const changed = readFileSync(join(machine.project, 'src/server.ts'), 'utf8');
      const limits = readFileSync(join(machine.project, 'docs/limits.md'), 'utf8');
      await press('first', '.plan');
      await press('first', ':scope > button');
      machine.write('src/server.ts', 'Written by a person.\n');
      await press('first', '[role="alert"]');
      await press('first', ':scope > button');
      machine.write('src/server.ts', BEFORE);
      rmSync(join(machine.project, 'docs/limits.md'));
      await press('first', '[role="alert"]');
      await press('first', ':scope > button');
      machine.write('src/server.ts', changed);
      machine.write('docs/limits.md', limits);
      await press('first', '.plan');
      await confirm();
      await kim.say('@bob scene:reply reply=plan');
      await kim.reads('turn-2');
      await kim.page.goto(`${new URL(kim.page.url()).origin}/c/${id}/changes/turn-2`);
      await press('last', '.plan');
      await confirm();
      expect(seen).toHaveLength(10);
      for (const text of seen) {
        expect(text).toMatch(own);
        expect(text.replaceAll(/huddle (?:diff|undo|apply) \S+/gu, '')).not.toMatch(other);
      }
      expect(kim.faults).toEqual([]);
    });
  });

  test('of which the server speaks English is Chinese at its door, in its errors, and in what it lists', async () => {
    const machine = await createScene();
    const server = await WebServer.start(machine, ['--lang', 'en']);
    const stranger = await (await browser.open({ locale: 'zh-CN' })).newPage();
    await stranger.goto(server.origin);
    await stranger.locator('#code').waitFor();
    const seen = [await stranger.locator('main').innerText()];
    await stranger.locator('#code').fill('wrong');
    await stranger.locator('#code').press('Enter');
    await stranger.locator('[role="alert"]', { hasText: CHINESE }).waitFor();
    seen.push(await stranger.locator('main').innerText());
    const kim = await Visitor.enter(browser, server, { locale: 'zh-CN' });
    const id = await kim.begin();
    await kim.say('@ann scene:hello');
    await kim.reads('Hello from ann.');
    await kim.page.goto(`${server.origin}/c/${id}/why/turn-9`);
    await kim.page.locator('.panel [role="alert"]').waitFor();
    seen.push(await kim.page.locator('.panel').innerText());
    for (const text of seen) {
      expect(text).toMatch(CHINESE);
      expect(text.replaceAll(/Huddle|huddle web|Enter|turn-9/gu, '')).not.toMatch(/[a-z]{3,}/u);
    }
    await kim.page.goto(`${server.origin}/c/nothing`);
    await kim.sees('此会话不存在');
    expect(kim.faults).toEqual([]);
  });
});

const BEFORE = 'export async function upload(request: Request): Promise<string> {\n}\n';
