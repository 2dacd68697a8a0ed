import { expect, test } from 'vitest';
import { root } from '../../../cli/runHuddle.js';
import { describeInBrowser } from './inBrowser.js';
import { Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

interface HostileTexts {
  readonly HTML_CORPUS: readonly string[];
  readonly HOSTILE_TEXTS: readonly { readonly name: string }[];
}
const { HTML_CORPUS, HOSTILE_TEXTS }: HostileTexts = await import(
  `${root}test/frontends/web/browser/scenery/hostileTexts.mjs`
);

/** More would be felt while typing or scrolling; a machine with other work needs some room. */
const LONGEST_TASK_MILLISECONDS = 500;
const [IMAGE = '', SCRIPT = ''] = HTML_CORPUS;

describeInBrowser('a page full of hostile text', (browser) => {
  test('runs none of it, asks for nothing elsewhere and breaks no rule of its policy', async () => {
    const machine = await createScene();
    const server = await WebServer.start(machine);
    const kim = await Visitor.enter(browser, server);
    const id = await kim.begin();
    // Title and message, task, notice, then an agent's tools, text, files and patch.
    await kim.say(`${IMAGE}${SCRIPT} ${HTML_CORPUS.join('\n\n')}`);
    await kim.reads('<img src=x onerror="window.hacked=1">');
    await kim.say(`[TEAM_TASK: ${IMAGE}${SCRIPT}] The task.`);
    await kim.say(`[NEXT: ${IMAGE}] Who?`);
    await kim.say('@ann scene:html');
    const tools = kim.log.getByText(`${HTML_CORPUS.length} tools`);
    await tools.click();
    const turn = await kim.log
      .locator('article', { hasText: `${HTML_CORPUS.length} tools` })
      .locator('footer a')
      .first()
      .innerText();
    for (const panel of ['members', `why/${turn}`, `changes/${turn}`, 'changes', 'cost']) {
      await kim.page.goto(`${server.origin}/c/${id}/${panel}`);
      await kim.page.locator('.panel, [data-region="panel"]').first().waitFor();
      await tools.waitFor();
    }
    await kim.find('<script>');
    await kim.log.locator('.row.target').waitFor();
    await kim.page.goto(`${server.origin}/`);
    await kim.page
      .getByRole('link', { name: /onerror/u })
      .first()
      .waitFor();

    const state = await kim.page.evaluate(() => ({
      hacked: 'hacked' in window,
      scripts: [...document.scripts].filter(({ src }) => !src.startsWith(location.origin)).length,
      images: document.images.length,
    }));
    expect(state).toEqual({ hacked: false, scripts: 0, images: 0 });
    expect(kim.requests.filter((address) => !address.startsWith(server.origin))).toEqual([]);
    expect(kim.faults).toEqual([]);
  });

  test('shows what hides or turns text, and leads only where a link says, apart from this page', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server);
    await kim.begin();
    await kim.say(
      'a\u202eb c\u200bd [bank](https://attacker.invalid/x) [js](javascript:alert(1)) ![p](https://p.invalid/)',
    );
    await kim.reads(/a<U\+202E>b c<U\+200B>d/u);
    await kim.log.getByRole('link', { name: 'bank' }).waitFor();
    const links = await kim.page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('.log .text a')].map(
        ({ href, rel, target, textContent }) => [textContent, href, rel, target],
      ),
    );
    expect(links).toEqual([
      ['bank', 'https://attacker.invalid/x', 'noopener noreferrer', '_blank'],
      ['p', 'https://p.invalid/', 'noopener noreferrer', '_blank'],
    ]);
    await kim.reads(/\(https:\/\/attacker\.invalid\/x\)/u);
    await kim.reads(/js \(javascript:alert\(1\)\)/u);
  });

  test('is not held up by texts made to be slow, and shows them as they are', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server);
    await kim.begin();
    await kim.page.evaluate(() => {
      const watched = window as unknown as { longest: number };
      watched.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) watched.longest = Math.max(watched.longest, duration);
      }).observe({ type: 'longtask' });
    });
    for (const [index] of HOSTILE_TEXTS.entries()) {
      await kim.say(`@ann scene:hostile hostile=${index}`);
      await kim.reads(`turn-${index + 1}`);
    }
    await kim.reads(/Show the rest \(\d+ KB\)/u);
    // Every text has found its form: nothing waits for the worker any more.
    await kim.say('**last**');
    await kim.log.locator('strong', { hasText: 'last' }).waitFor();
    const longest = await kim.page.evaluate(() => (window as unknown as { longest: number }).longest);
    expect(longest).toBeLessThan(LONGEST_TASK_MILLISECONDS);
    expect(kim.faults).toEqual([]);
  });
});
