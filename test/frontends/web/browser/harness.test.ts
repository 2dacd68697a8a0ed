import { expect, test } from 'vitest';
import { describeInBrowser } from './inBrowser.js';

describeInBrowser('a browser', (browser) => {
  test('starts with a profile of its own, in the language it is told', async () => {
    const context = await browser.open({ locale: 'zh-CN' });
    const page = await context.newPage();
    expect(await page.evaluate(() => navigator.language)).toBe('zh-CN');
    expect(await context.cookies()).toEqual([]);
  });
});
