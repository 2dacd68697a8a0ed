import { expect, test } from 'vitest';
import { type Machine, root } from '../../../cli/runHuddle.js';
import type { Page } from './driver.js';
import { describeInBrowser } from './inBrowser.js';
import { Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

type WriteLongLog = (messages: number, about?: { needle: string; place: number }) => Iterable<string>;
const { writeLongLog }: { writeLongLog: WriteLongLog } = await import(
  `${root}test/frontends/web/browser/scenery/longLog.mjs`
);

const NEEDLE = 'needlework';
const STEP = 300;

/** A server with a session of so many messages, and somebody who looks at its end. */
async function openLong(
  browser: Parameters<typeof Visitor.enter>[0],
  messages: number,
): Promise<{ kim: Visitor; machine: Machine; server: WebServer }> {
  const machine = await createScene();
  const file = machine.write(
    'long.jsonl',
    [...writeLongLog(messages, { needle: NEEDLE, place: 41 })].join(''),
  );
  await machine.run(['import', file]);
  const server = await WebServer.start(machine);
  const kim = await Visitor.enter(browser, server);
  await kim.page.goto(`${server.origin}/c/20261101-0000-1234`);
  await kim.reads(new RegExp(`^Message ${messages}\\.`, 'u'));
  return { kim, machine, server };
}

/** The rows in view, and where they are. */
function rowsOf(page: Page): Promise<readonly (readonly [string, number])[]> {
  return page.evaluate(() => {
    const frame = document.querySelector('.log')?.getBoundingClientRect();
    return [...document.querySelectorAll('.log .row-place')]
      .map((row) => [row.textContent?.slice(0, 60) ?? '', row.getBoundingClientRect()] as const)
      .filter(([, { top, bottom }]) => frame && bottom > frame.top && top < frame.bottom)
      .map(([text, { top }]) => [text, Math.round(top)] as const);
  });
}

describeInBrowser('a long log', (browser) => {
  test('finds a word at the beginning of 10,000 messages, goes there and marks it', async () => {
    const { kim } = await openLong(browser, 10_000);
    await kim.find(NEEDLE);
    const hit = kim.log.locator('.row.target');
    await hit.getByText(new RegExp(`^Message 41\\..*${NEEDLE}`, 'u')).waitFor();
    const [box, log] = [await hit.boundingBox(), await kim.log.boundingBox()];
    expect(box && log && box.y >= log.y && box.y < log.y + log.height).toBe(true);
    expect(await kim.page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3000);
  });

  test('is read in peace: what comes moves nothing, and is counted until the end is in view', async () => {
    const { kim, server } = await openLong(browser, 300);
    const id = '20261101-0000-1234';
    const bob = await Visitor.openIn(kim.context, `${server.origin}/c/${id}`);
    await kim.page.bringToFront();
    await kim.page.mouse.move(800, 300);
    await kim.page.mouse.wheel(0, -900);
    await kim.page.getByRole('button', { name: '↓ Latest' }).waitFor();
    await kim.page.evaluate(untilStill);
    await kim.page.evaluate(watchRows);
    const before = await rowsOf(kim.page);
    await bob.say('@ann scene:slow slow=30x30');
    await bob.reads('turn-151');
    await kim.page.getByRole('button', { name: '↓ 2 new' }).waitFor();
    expect(await rowsOf(kim.page)).toEqual(before);
    expect(await kim.page.evaluate(() => (window as unknown as Watched).moved)).toBe(0);
    await kim.page.getByRole('button', { name: '↓ 2 new' }).click();
    await kim.reads('turn-151');
  });

  test('loads what is older without a jump, and keeps its place at another width', async () => {
    const { kim } = await openLong(browser, 400);
    await kim.page.mouse.move(800, 300);
    await kim.page.evaluate(watchJumps);
    for (let turn = 0; turn < 60; turn++) {
      const seen = await kim.page.evaluate(() => (window as unknown as Watched).steps.length);
      await kim.page.mouse.wheel(0, -STEP);
      await kim.page.waitForFunction((count) => (window as unknown as Watched).steps.length > count, seen);
    }
    const steps = await kim.page.evaluate(() => (window as unknown as Watched).steps);
    expect(steps.filter((step) => Math.abs(step) > STEP + 2)).toEqual([]);
    const [, wide] = await rowsOf(kim.page);
    await kim.page.setViewportSize({ width: 400, height: 720 });
    const isInView = ([text]: readonly [string, number]) =>
      [...document.querySelectorAll('.log .row-place')].some((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return row.textContent?.startsWith(text) && bottom > 0 && top < innerHeight;
      });
    await kim.page.waitForFunction(isInView, wide ?? (['', 0] as const), { timeout: 5000 });
  });
});

interface Watched {
  moved: number;
  steps: number[];
}

/** Resolves when the rows have stood for ten frames: the wheel scrolls on for a moment. */
function untilStill(): Promise<void> {
  return new Promise((resolve) => {
    let [last, frames] = [Number.NaN, 0];
    const look = (): void => {
      const top = document.querySelector('.log .row-place')?.getBoundingClientRect().top ?? 0;
      frames = top === last ? frames + 1 : 0;
      last = top;
      if (frames >= 10) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Notes how far the first row in view is away from where it is now, in every frame. */
function watchRows(): void {
  const first = [...document.querySelectorAll('.log .row-place')].find(
    (row) => row.getBoundingClientRect().top >= 100,
  );
  const start = first?.getBoundingClientRect().top ?? 0;
  const watched = window as unknown as Watched;
  watched.moved = 0;
  const look = () => {
    const top = first?.getBoundingClientRect().top ?? 0;
    watched.moved = Math.max(watched.moved, Math.abs(top - start));
    requestAnimationFrame(look);
  };
  look();
}

/** Notes how far rows move from one painted frame to the next, if they do. */
function watchJumps(): void {
  const watched = window as unknown as Watched;
  watched.steps = [];
  const placesOf = () =>
    new Map(
      [...document.querySelectorAll('.log .row-place')].map((row) => [
        row.textContent ?? '',
        row.getBoundingClientRect().top,
      ]),
    );
  let before = placesOf();
  // Behind the frame: what is measured while it is made is corrected before it is painted.
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const now = placesOf();
    const [text, top] = [...now].findLast(([each]) => before.has(each)) ?? [];
    const step = text === undefined ? 0 : Math.round((top ?? 0) - (before.get(text) ?? 0));
    if (step !== 0) watched.steps.push(step);
    before = now;
  };
  const look = () => {
    channel.port2.postMessage(undefined);
    requestAnimationFrame(look);
  };
  look();
}
