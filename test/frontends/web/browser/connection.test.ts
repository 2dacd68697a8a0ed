import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CutLine } from './CutLine.js';
import type { HeldRequest } from './driver.js';
import { describeInBrowser } from './inBrowser.js';
import { Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

const WORDS = 160;

describeInBrowser('the connection of the page', (browser) => {
  test('is cut 20 times in a turn, and the page is what the log is: nothing lost, nothing twice', async () => {
    const machine = await createScene();
    const server = await WebServer.start(machine);
    const line = await CutLine.to(server);
    const kim = await Visitor.enter(browser, { address: line.through(server.address) });
    const id = await kim.begin();
    await kim.say(`@ann scene:slow slow=${WORDS}x60`);
    for (let cut = 1; cut <= 20; cut++) {
      await kim.reads(new RegExp(`word-${cut * 4}\\b`, 'u'));
      line.cut();
    }
    await kim.reads('turn-1');
    const expected = Array.from({ length: WORDS }, (_, index) => `word-${index + 1}`).join(' ');
    const texts = async () => {
      const rows = await kim.log.locator('article .text').allInnerTexts();
      return rows.map((row) => row.trim());
    };
    expect(await texts()).toEqual([`@ann scene:slow slow=${WORDS}x60`, expected]);
    await kim.page.reload();
    await kim.reads('turn-1');
    expect(await texts()).toEqual([`@ann scene:slow slow=${WORDS}x60`, expected]);
    const shown = await machine.run(['show', id]);
    expect(shown.stdout).toContain(expected);
  });

  test('ends with the process: the page says so, keeps its text and is locked; the new address works', async () => {
    const machine = await createScene();
    const pids = join(machine.project, 'pids');
    // Below the ports that the system gives to others, who could have it when it is asked for again.
    const port = String(20_000 + (process.pid % 10_000));
    const server = await WebServer.start(machine, ['--port', port]);
    const kim = await Visitor.enter(browser, server);
    await kim.begin();
    await kim.say('@ann scene:hold');
    await kim.reads(/ann waits\./u);
    const agent = Number(readFileSync(pids, 'utf8').trim().split('\n').at(-1));
    await server.stop('SIGKILL');
    await kim.sees(/reconnecting/u);
    await kim.reads(/ann waits\./u);
    await expect.poll(() => isAlive(agent), { timeout: 20_000 }).toBe(false);

    const next = await WebServer.start(machine, ['--port', port]);
    await kim.sees('Huddle was restarted: open the new address. The text on this page is kept.');
    await kim.reads(/ann waits\./u);
    expect(await kim.field.getAttribute('readonly')).not.toBeNull();

    const again = await Visitor.openIn(kim.context, next.address);
    await again.page
      .getByRole('link', { name: /scene:hold/u })
      .first()
      .click();
    await again.reads('@ann scene:hold');
    await again.say('@ann scene:hello');
    await again.reads('Hello from ann.');
  });

  test('of two browsers that answer the same request at once one is heard, and the other is told', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server);
    const id = await kim.begin();
    const other = await Visitor.enter(browser, server);
    await other.page.goto(`${server.origin}/c/${id}`);
    await kim.say('@ann scene:ask');
    await Promise.all([kim.button('allow').waitFor(), other.button('deny').waitFor()]);
    const answers = Promise.all(
      [kim, other].map(async (visitor) => {
        const answered = visitor.page.waitForResponse(/\/decisions$/u);
        return (await answered).status();
      }),
    );
    // Neither goes out before both have answered.
    const both = Promise.all([holdDecision(kim), holdDecision(other)]);
    await Promise.all([kim.button('allow').click(), other.button('deny').click()]);
    await Promise.all((await both).map((decision) => decision.continue()));
    expect((await answers).toSorted()).toEqual([204, 409]);
    await kim.reads(/ann was told: (?:once|no)\./u);
    await other.reads(/ann was told: (?:once|no)\./u);
    await other.log.getByText('1 permission request').click();
    await other.reads(/(?:allowed|denied) by kim/u);
  });

  test('nine tabs of a browser are all served, and the oldest are told that another tab is live', async () => {
    const server = await WebServer.start(await createScene());
    const first = await Visitor.enter(browser, server);
    const id = await first.begin();
    const address = `${server.origin}/c/${id}`;
    const started = Date.now();
    const tabs: Visitor[] = [first];
    for (let tab = 2; tab <= 9; tab++) tabs.push(await Visitor.openIn(first.context, address));
    expect(Date.now() - started).toBeLessThan(20_000);
    await first.page.getByRole('button', { name: /another tab is live/u }).waitFor();
    await tabs.at(-1)?.say('@ann scene:hello');
    await tabs.at(-1)?.reads('Hello from ann.');
    await first.page.getByRole('button', { name: /another tab is live/u }).click();
    await first.reads('Hello from ann.');
  });

  test('shows a session that a terminal holds, as it goes, and leaves it alone', async () => {
    const machine = await createScene();
    const server = await WebServer.start(machine);
    const kim = await Visitor.enter(browser, server);
    const run = machine.start(['run', '--trust', '@ann scene:hold']);
    await kim.page
      .getByRole('link', { name: /scene:hold/u })
      .first()
      .click();
    await kim.reads('@ann scene:hold');
    await kim.sees(`open in process ${run.pid}`);
    expect(await kim.field.count()).toBe(0);
    machine.write('go', '');
    await kim.reads(/ann goes on\./u);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: it is gone.
    return false;
  }
}

/** Resolves with the decision that a visitor sends next, on its way. */
function holdDecision({ page }: Visitor): Promise<HeldRequest> {
  return new Promise((resolve) => {
    void page.route(/\/decisions$/u, resolve);
  });
}
