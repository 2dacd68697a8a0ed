import { describe, expect, test } from 'vitest';
import { createMachine } from '../../../cli/runHuddle.js';
import type { Page } from './driver.js';
import { describeInBrowser, findBarriers } from './inBrowser.js';
import { type Language, Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 400, height: 800 },
];

describeInBrowser('the page is for everybody', (browser) => {
  describe.each<Language>(['en-US', 'zh-CN'])('in %s', (locale) => {
    test('axe finds nothing on any screen, wide or narrow, light or dark, and every part has its place', async () => {
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

      const { found, look } = lookAt(kim.page);
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

    test('nor at the door, in what opens over a screen, for one who only watches, and after the end', async () => {
      const server = await WebServer.start(await createScene());
      const stranger = await (await browser.open({ locale })).newPage();
      await stranger.goto(server.origin);
      await stranger.locator('form input').waitFor();
      const door = lookAt(stranger);
      await door.look('door');

      const kim = await Visitor.enter(browser, server, { locale });
      const id = await kim.begin();
      await kim.say('@ann scene:hello');
      await kim.reads('turn-1');
      await kim.page.goto(server.origin);
      const { found, look } = lookAt(kim.page);
      await kim.page.locator('[popovertarget="settings"]').first().click();
      await kim.page.locator('#settings select').first().waitFor();
      await look('settings');
      await kim.page.keyboard.press('Escape');
      await kim.page.locator('.session').first().hover();
      await kim.page.locator('.session > .button').first().click();
      await kim.page.locator('dialog').waitFor();
      await look('delete');
      await kim.page.keyboard.press('Escape');
      await kim.button('invite').click();
      await kim.page.locator('dialog .choice').last().click();
      await kim.page.locator('dialog input').waitFor();
      await look('invite');

      const address = await kim.page.locator('dialog input').inputValue();
      const guest = await Visitor.enter(browser, { address }, { locale });
      await guest.page.goto(`${server.origin}/c/${id}`);
      await guest.reads('turn-1');
      const watching = lookAt(guest.page);
      await watching.look('watching');
      await server.stop();
      await guest.page.locator('.connection:not(.on)').first().waitFor();
      await watching.look('ended');
      expect({ ...door.found, ...found, ...watching.found }).toEqual({});
    });

    test('nor where there is nothing yet but a demo', async () => {
      const server = await WebServer.start(createMachine());
      const kim = await Visitor.enter(browser, server, { locale });
      await kim.button('demo').waitFor();
      const { found, look } = lookAt(kim.page);
      await look('nothing');
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
    await kim.page.waitForFunction(() => !document.activeElement?.hasAttribute('aria-disabled'));
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

/** A new size of the screen is drawn in the frame after the one that hears of it; and what a part loads has come. */
async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.waitForFunction(() => document.querySelector('.loading') === null);
}

/** Looks at a page, wide and narrow, light and dark, and keeps what is wrong. */
function lookAt(page: Page): {
  readonly found: Record<string, unknown>;
  readonly look: (screen: string) => Promise<void>;
} {
  const found: Record<string, unknown> = {};
  return {
    found,
    async look(screen) {
      for (const viewport of SIZES)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          await untilDrawn(page);
          const barriers = await findBarriers(page);
          const misplaced = await findMisplaced(page);
          if (barriers.length > 0 || misplaced.length > 0)
            found[`${screen} ${viewport.width} ${colorScheme}`] = { barriers, misplaced };
        }
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  };
}

/** The parts of a screen that are not whole in it, or lie over each other, and what can be scrolled sideways. */
function findMisplaced(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const parts = [...document.querySelectorAll<HTMLElement>('[data-region]')]
      .map((part) => ({ name: part.dataset.region ?? '', place: part.getBoundingClientRect() }))
      .filter(({ place }) => place.width > 0 && place.height > 0);
    const outside = parts.filter(
      ({ place }) => place.left < -1 || place.right > innerWidth + 1 || place.bottom > innerHeight + 1,
    );
    const covered = parts.flatMap((one, index) =>
      parts
        .slice(index + 1)
        .filter(
          ({ place }) =>
            Math.min(one.place.right, place.right) - Math.max(one.place.left, place.left) > 1 &&
            Math.min(one.place.bottom, place.bottom) - Math.max(one.place.top, place.top) > 1,
        )
        .map(({ name }) => `${one.name} over ${name}`),
    );
    return [
      ...(scrollWidth > clientWidth ? ['scrolls sideways'] : []),
      ...outside.map(({ name }) => `${name} outside`),
      ...covered,
    ];
  });
}
