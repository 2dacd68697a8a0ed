import { describe, expect, test } from 'vitest';
import { describeInBrowser } from './inBrowser.js';
import { type Language, Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

const LONG =
  '@ann Design a sign-in page for the wiki that works without a password, and say how sessions are kept.';

describeInBrowser('the layout of a conversation', (browser) => {
  describe.each<Language>(['en-US', 'zh-CN'])('in %s', (locale) => {
    test('its header is one row, however narrow, with a panel and without, and says everything in its menu', async () => {
      const server = await WebServer.start(await createScene({ limits: { usd: 5 } }));
      const kim = await Visitor.enter(browser, server, { locale });
      const id = await kim.begin();
      await kim.say(LONG);
      await kim.reads('turn-1');
      const heights: Record<string, unknown> = {};
      for (const panel of ['', '/cost'])
        for (const width of [400, 900, 1000, 1280, 1440, 1920]) {
          await kim.page.setViewportSize({ width, height: 800 });
          await kim.page.goto(`${server.origin}/c/${id}${panel}`);
          await kim.page.locator('.connection').first().waitFor({ state: 'attached' });
          const header = kim.page.locator('.conversation-bar');
          // A panel is all of a narrow page.
          if (panel !== '' && width < 900) continue;
          await header.getByText('ann', { exact: false }).first().waitFor();
          const { height, ...outside } = await header.evaluate((bar) => {
            const { right, bottom, top } = bar.getBoundingClientRect();
            const parts = [...bar.querySelectorAll('*')].filter((part) => part.checkVisibility());
            return {
              height: bottom - top,
              isWhole:
                bar.scrollWidth <= bar.clientWidth &&
                parts.every((part) => part.getBoundingClientRect().right <= right),
              title: (bar.querySelector('h1')?.clientWidth ?? 0) >= 80,
            };
          });
          heights[`${width}${panel}`] = { height: Math.round(height), ...outside };
          const more = header.locator('[data-more]');
          if (!(await more.isVisible())) continue;
          await more.click();
          await header.locator('.panel-links a').last().waitFor();
          const box = await header.locator('.conversation-menu').boundingBox();
          expect(box?.y).toBeGreaterThanOrEqual(Math.round(height) - 10);
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        }
      expect(new Set(Object.values(heights).map((each) => JSON.stringify(each)))).toEqual(
        new Set([JSON.stringify({ height: 49, isWhole: true, title: true })]),
      );
      expect(Object.keys(heights)).toHaveLength(11);
      expect(kim.faults).toEqual([]);
    });
  });

  test('the composer, the requests and the messages have the same edges', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server);
    await kim.begin();
    await kim.say('@ann scene:publish');
    await kim.button('allow').waitFor();
    for (const width of [400, 1000, 1280, 1920]) {
      await kim.page.setViewportSize({ width, height: 800 });
      const edges = await kim.page.evaluate(() => {
        const edgeOf = (selector: string, side: 'left' | 'right') =>
          Math.round(document.querySelector(selector)?.getBoundingClientRect()[side] ?? 0);
        return {
          left: [
            edgeOf('.log .row', 'left'),
            edgeOf('.composer textarea', 'left'),
            edgeOf('.approval h2', 'left'),
          ],
          right: [
            edgeOf('.log .row', 'right'),
            edgeOf('.composer .button', 'right'),
            edgeOf('.approval .button.primary', 'right'),
          ],
        };
      });
      expect([width, new Set(edges.left).size, new Set(edges.right).size, edges]).toEqual([
        width,
        1,
        1,
        edges,
      ]);
    }
  });

  test('Ctrl-F with a panel that is all of the page goes to the messages and their field, again and again', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server, { viewport: { width: 400, height: 800 } });
    const id = await kim.begin();
    await kim.say('@ann scene:hello');
    await kim.reads('turn-1');
    for (let time = 0; time < 2; time++) {
      await kim.page.goto(`${server.origin}/c/${id}`);
      await kim.reads('turn-1');
      if (time === 1) await kim.find('');
      await kim.page.evaluate((path) => {
        const link = document.createElement('a');
        link.href = path;
        document.querySelector('main')?.append(link);
        link.click();
        link.remove();
      }, `/c/${id}/members`);
      await kim.page.locator('[data-region="panel"] .panel-content').waitFor();
      await kim.find('Hello');
      await kim.log.locator('.row.target').waitFor();
      expect(new URL(kim.page.url()).pathname).toBe(`/c/${id}`);
    }
    expect(kim.faults).toEqual([]);
  });
});
