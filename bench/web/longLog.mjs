// B2 a long conversation opens as a short one, B3 scrolling through it, B6 another width, and an idle page.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goal, goalFaster, median } from '../measure.mjs';

const ROUNDS = 7;
const STEP_PIXELS = 1500;
const IDLE_MILLISECONDS = 5000;

export async function measureLongLog(bench, browser) {
  const { context, page } = await bench.visit(browser);
  const tools = await context.newCDPSession(page);
  await tools.send('Performance.enable');
  await measureIdle(bench, page, tools);
  await measureOpening(bench, page);
  await measureServer(bench);
  await measureScrolling(bench, page, tools);
  await measureWidth(page);
  await context.close();
}

async function measureOpening(bench, page) {
  const samples = { 100: [], 10000: [], exported: [] };
  const file = join(bench.folder, 'exported.html');
  writeFileSync(file, bench.huddle('export', bench.sessions.get(10_000), '--format', 'html'));
  for (let round = 0; round < ROUNDS; round++) {
    for (const messages of [100, 10_000])
      samples[messages].push(
        await timeOpening(
          page,
          `${bench.origin}/c/${bench.sessions.get(messages)}`,
          `.log article:has-text("Message ${messages}.")`,
        ),
      );
    if (round < 3) samples.exported.push(await timeOpening(page, `file://${file}`, '#msg-10000'));
  }
  const [short, long, exported] = [100, 10_000, 'exported'].map((name) => median(samples[name]));
  console.log(
    `       100 messages ${short.toFixed(0)} ms, 10,000 ${long.toFixed(0)} ms, exported page ${exported.toFixed(0)} ms`,
  );
  goal('B2 10,000 messages shown over 100', long / short, 1.5, 'x');
  goalFaster('B2 shown sooner than the exported page', exported, long, 3);
}

async function timeOpening(page, address, selector) {
  await page.goto('about:blank');
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor();
  return performance.now() - start;
}

async function measureServer(bench) {
  const headers = await bench.logIn();
  const timed = async (messages) => {
    const before = bench.cpu();
    for (let round = 0; round < 20; round++)
      await (
        await fetch(`${bench.origin}/api/conversations/${bench.sessions.get(messages)}`, { headers })
      ).arrayBuffer();
    return (bench.cpu() - before) / 20;
  };
  await timed(10_000);
  console.log(
    `       CPU of the server for a first screen: ${(await timed(100)).toFixed(1)} ms of 100 messages`,
  );
  goal('B2 CPU of the server for 10,000 messages', await timed(10_000), 20, ' ms');
}

async function measureScrolling(bench, page, tools) {
  const address = `${bench.origin}/c/${bench.sessions.get(7000)}`;
  await timeOpening(page, address, '.log article:has-text("Message 7000.")');
  const before = await metricsOf(tools);
  const frames = await page.evaluate(
    (step) =>
      new Promise((resolve) => {
        const log = document.querySelector('.log');
        let count = 0;
        let rest = 0;
        const look = () => {
          log.scrollTop -= step;
          count += 1;
          rest = log.scrollTop <= 0 ? rest + 1 : 0;
          // At the top and nothing older comes any more.
          if (rest > 120) resolve(count - rest);
          else requestAnimationFrame(look);
        };
        look();
      }),
    STEP_PIXELS,
  );
  const after = await metricsOf(tools);
  await tools.send('HeapProfiler.collectGarbage');
  const { JSHeapUsedSize } = await metricsOf(tools);
  const spent = (name) => ((after[name] - before[name]) * 1000) / frames;
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  const first = await page.locator('.log article').first().innerText();
  if (!first.includes('Message 1.')) throw new Error(`The first message is not in view: ${first}`);
  console.log(`       ${frames} frames of ${STEP_PIXELS} px through 7,000 messages`);
  goal('B3 nodes', nodes, 3000);
  goal('B3 heap', JSHeapUsedSize / 1024 / 1024, 40, ' MB');
  goal('B3 script and layout of a frame', spent('ScriptDuration') + spent('LayoutDuration'), 10, ' ms');
}

/** The message in the middle stays in view, and is where it was as soon as the page is painted. */
async function measureWidth(page) {
  await page.evaluate(() => document.querySelector('.log').scrollBy(0, 5000));
  await page.waitForTimeout(500);
  const read = () =>
    page.evaluate(() => {
      const rows = [...document.querySelectorAll('.log .row-place')];
      return rows.find((row) => row.getBoundingClientRect().top >= 60)?.innerText.slice(0, 60);
    });
  const before = await read();
  await page.evaluate(() => {
    window.settled = new Promise((resolve) => {
      const width = innerWidth;
      const look = (start, last) => {
        const row = [...document.querySelectorAll('.log .row-place')].find(
          (each) => each.getBoundingClientRect().top >= 60,
        );
        const now =
          innerWidth === width
            ? undefined
            : `${row?.innerText.slice(0, 60)} ${row?.getBoundingClientRect().top}`;
        const begun = now === undefined ? undefined : (start ?? performance.now());
        if (now !== undefined && now === last?.place && last.count >= 5) resolve(last.at - begun);
        else {
          const same = now !== undefined && now === last?.place;
          const noted = same
            ? { ...last, count: last.count + 1 }
            : { place: now, at: performance.now(), count: 0 };
          requestAnimationFrame(() => look(begun, noted));
        }
      };
      look();
    });
  });
  await page.setViewportSize({ width: 400, height: 800 });
  const milliseconds = await page.evaluate(() => window.settled);
  const inView = await page.evaluate(
    (text) =>
      [...document.querySelectorAll('.log .row-place')].some((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return row.innerText.startsWith(text.slice(0, 30)) && bottom > 0 && top < innerHeight;
      }),
    before,
  );
  goal('B6 rows lost by another width', inView ? 0 : 1, 0);
  goal('B6 400 px wide while reading', milliseconds, 100, ' ms');
}

async function measureIdle(bench, page, tools) {
  await timeOpening(
    page,
    `${bench.origin}/c/${bench.sessions.get(100)}`,
    '.log article:has-text("Message 100.")',
  );
  await page.waitForTimeout(1000);
  const before = await metricsOf(tools);
  await page.waitForTimeout(IDLE_MILLISECONDS);
  const after = await metricsOf(tools);
  goal(
    'B6 idle page, main thread a second',
    ((after.TaskDuration - before.TaskDuration) * 1e6) / IDLE_MILLISECONDS,
    5,
    ' ms',
  );
}

async function metricsOf(tools) {
  const { metrics } = await tools.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
