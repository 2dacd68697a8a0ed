import { describe, expect, test } from 'vitest';
import { describeInBrowser, findBarriers } from './inBrowser.js';
import { type Language, Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 400, height: 800 },
];

describeInBrowser('the page is for everybody', (browser) => {
  describe.each<Language>(['en-US', 'zh-CN'])('in %s', (locale) => {
    test('axe finds nothing on any screen, wide or narrow, light or dark, and nothing scrolls sideways', async () => {
      const server = await WebServer.start(await createScene({ limits: { agentTurns: 2 } }));
      const kim = await Visitor.enter(browser, server, { locale });
      const id = await kim.begin();
      await kim.say('@ann scene:reply reply=plan');
      await kim.reads('turn-1');
      await kim.say('@bob scene:reply reply=chinese');
      await kim.reads('turn-2');
      await kim.say('@ann scene:fail');
      await kim.reads('turn-3');
      await kim.say('@ann scene:pingpong');
      await kim.button('continue').waitFor();
      await kim.button('newConversation').click();
      await kim.page.waitForURL((url) => !url.pathname.endsWith(id) && url.pathname.startsWith('/c/'));
      await kim.say('@ann scene:many');
      await kim.button('allow').waitFor();
      const asking = new URL(kim.page.url()).pathname;

      const found: Record<string, unknown> = {};
      const look = async (screen: string) => {
        for (const viewport of SIZES)
          for (const colorScheme of ['light', 'dark'] as const) {
            await kim.page.setViewportSize(viewport);
            await kim.page.emulateMedia({ colorScheme });
            const barriers = await findBarriers(kim.page);
            const sideways = await kim.page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            if (barriers.length > 0 || sideways > 0)
              found[`${screen} ${viewport.width} ${colorScheme}`] = { barriers, sideways };
          }
      };
      await look('approval');
      for (const path of [
        '/',
        `/c/${id}`,
        `/c/${id}/members`,
        `/c/${id}/why/turn-1`,
        `/c/${id}/changes`,
        `/c/${id}/cost`,
      ]) {
        await kim.page.setViewportSize({ width: 1280, height: 800 });
        await kim.page.goto(`${server.origin}${path}`);
        await kim.page.locator('.connection.on').first().waitFor({ state: 'attached' });
        await kim.page
          .locator(path === '/' ? '.session, [class*=session] a' : '.log article')
          .first()
          .waitFor();
        await look(path.replace(id, 'id'));
      }
      await kim.page.setViewportSize({ width: 1280, height: 800 });
      await kim.find('MB');
      await kim.log.locator('.row.target').waitFor();
      await look('find');
      expect(asking).toMatch(/^\/c\//u);
      expect(found).toEqual({});
    });
  });

  test('everything is done by keys alone: begin, talk, answer, read why, find, go back', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server);
    const { keyboard } = kim.page;
    const focused = () => kim.page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    const tabTo = async (name: RegExp) => {
      for (let step = 0; step < 60; step++) {
        if (name.test(await focused())) return;
        await keyboard.press('Tab');
      }
      throw new Error(`No Tab leads to ${name}; the last was ${await focused()}`);
    };
    await tabTo(/^New conversation$/u);
    await keyboard.press('Enter');
    await kim.field.waitFor();
    const isInField = () => kim.page.evaluate(() => document.activeElement?.tagName === 'TEXTAREA');
    for (let region = 0; region < 5 && !(await isInField()); region++) await keyboard.press('F6');
    await keyboard.type('@ann scene:ask');
    await keyboard.press('Escape');
    await keyboard.press('Enter');
    await kim.button('allow').waitFor();
    // It did not take the focus: what is typed goes on into the field.
    await keyboard.type('and');
    expect(await kim.field.inputValue()).toContain('and');
    await keyboard.press('F8');
    await tabTo(/^Allow once$/u);
    await keyboard.press('Enter');
    await kim.reads('ann was told: once.');
    await kim.page.waitForFunction(() => document.activeElement !== document.body);

    await keyboard.press('F6');
    await tabTo(/^turn-1$/u);
    await keyboard.press('Enter');
    await kim.page.waitForURL(/\/why\/turn-1$/u);
    await keyboard.press('Escape');
    await kim.page.waitForURL(/\/c\/[^/]+$/u);
    await kim.find('told');
    await kim.log.locator('.row.target').waitFor();
    await keyboard.press('Escape');
    await kim.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  });
});
