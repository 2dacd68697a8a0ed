import { describe, expect, test } from 'vitest';
import { describeInBrowser } from './inBrowser.js';
import { type Language, Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

const LANGUAGES: readonly Language[] = ['en-US', 'zh-CN'];

describeInBrowser('a person at the page', (browser) => {
  describe.each(LANGUAGES)('in %s', (locale) => {
    test('talks, allows, denies, stops, retries, and continues after a limit', async () => {
      const server = await WebServer.start(await createScene({ limits: { agentTurns: 3 } }));
      const kim = await Visitor.enter(browser, server, { locale });
      expect(await kim.page.evaluate(() => document.documentElement.lang)).toBe(
        locale === 'zh-CN' ? 'zh-CN' : 'en',
      );
      await kim.begin();

      await kim.say('@ann scene:hello');
      await kim.reads('Hello from ann.');
      expect(await kim.field.inputValue()).toBe('');

      await kim.say('@ann scene:ask');
      await kim.button('allow').waitFor();
      // Whole, never cut.
      await kim.sees(/npm publish --access public # (?:and a long tail, ){30}the end/u);
      await kim.page.waitForFunction(() => document.title.startsWith('(1) '));
      await kim.button('allow').click();
      await kim.reads('ann was told: once.');

      await kim.say('@bob scene:ask');
      await kim.goToRequest();
      await kim.button('deny').click();
      await kim.reads('bob was told: no.');

      await kim.say('@ann scene:slow slow=400x20');
      await kim.reads(/word-3/u);
      await kim.button('stop').click();
      await kim.log
        .locator('.draft')
        .getByText(/word-3/u)
        .waitFor();

      await kim.say('@bob scene:fail');
      await kim.reads(/The service returned 500/u);
      await kim.button('retry').click();
      await kim.reads(/That worked\./u);

      await kim.say('@ann scene:pingpong');
      await kim.reads('turn-9');
      await kim.button('continue').click();
      await kim.reads('turn-12');
      await kim.button('continue').waitFor();
      expect(kim.faults).toEqual([]);
    });
  });

  test('keeps what was typed, also after the page is loaded again, and sends it once', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server);
    await kim.begin();
    await kim.field.fill('half a thought');
    await kim.page.reload();
    await kim.field.waitFor();
    await kim.hasTyped('half a thought');
    await kim.field.press('Enter');
    await kim.reads('half a thought');
    await kim.hasTyped('');
    await kim.page.reload();
    await kim.reads('half a thought');
    await kim.hasTyped('');
    expect(await kim.log.getByText('half a thought', { exact: true }).count()).toBe(1);
  });

  test('is asked before a slip is sent, and reads /help', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server);
    await kim.begin();
    const slips = [
      ['/halp', 'Unknown command /halp. Did you mean /help?'],
      ['/task Do it', '"/task Do it" can\'t be typed on this page.'],
      ['!npm test', "Huddle doesn't run shell commands."],
      ['@annn scene:hello', 'No member named "annn". Did you mean @ann?'],
    ];
    for (const [text = '', hint = ''] of slips) {
      await kim.field.fill(text);
      await kim.field.press('Enter');
      await kim.page.locator('.composer p').getByText(hint).waitFor();
      await kim.hasTyped(text);
    }
    expect(await kim.log.locator('article').count()).toBe(0);
    await kim.field.press('Enter');
    await kim.reads('@annn scene:hello');
    await kim.hasTyped('');
    await kim.say('/help');
    await kim.page.locator('.composer p').getByText('You can type /retry').waitFor();
    expect(await kim.log.getByText('/help').count()).toBe(0);
  });

  test('chooses words with an input method: Enter takes them and does not send', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server);
    await kim.begin();
    await kim.field.focus();
    const devTools = await kim.context.newCDPSession(kim.page);
    await devTools.send('Input.imeSetComposition', { text: 'shang', selectionStart: 5, selectionEnd: 5 });
    await devTools.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      windowsVirtualKeyCode: 229,
      key: 'Process',
      code: 'Enter',
    });
    await devTools.send('Input.imeSetComposition', { text: '上传', selectionStart: 2, selectionEnd: 2 });
    // A key of the composition itself: not for the page.
    await kim.page.evaluate(() => {
      const event = new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
      document.activeElement?.dispatchEvent(event);
    });
    await devTools.send('Input.insertText', { text: '上传' });
    expect(await kim.field.inputValue()).toBe('上传');
    expect(await kim.log.locator('article').count()).toBe(0);
    await kim.field.press('Enter');
    await kim.reads('上传');
  });
});
