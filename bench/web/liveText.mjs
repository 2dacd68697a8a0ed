// B4 the age of what an agent prints when it is on the page, B5 the same beside a reader that does not read.
import { connect } from 'node:net';
import { goal, median } from '../measure.mjs';

const STREAMS = 500;

export async function measureLiveText(bench, browser) {
  const headers = await bench.logIn();
  const { context, page } = await bench.visit(browser);
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.waitForURL(/\/c\//u);
  await page.locator('.log').waitFor();
  const id = new URL(page.url()).pathname.split('/')[2];
  const alone = await measureTurn(bench, page, id, headers);
  console.log(
    `       age on the page: p50 ${alone.page.p50.toFixed(0)} ms, p95 ${alone.page.p95.toFixed(0)} ms; bare reader p50 ${alone.bare.p50.toFixed(0)} ms`,
  );
  goal('B4 p50 on the page over the bare reader', alone.page.p50 - alone.bare.p50, 20, ' ms');
  goal('B4 p95 over p50', alone.page.p95 / alone.page.p50, 3, 'x');
  const deaf = openDeaf(bench, id, headers);
  const beside = await measureTurn(bench, page, id, headers);
  deaf.destroy();
  goal('B5 p95 beside a deaf reader', beside.page.p95 / alone.page.p95, 1.2, 'x');
  await measureManyStreams(bench, id, headers);
  await context.close();
}

/** A turn of an agent that prints the time: how old it is when it is read. */
async function measureTurn(bench, page, id, headers) {
  await page.evaluate(() => {
    const log = document.querySelector('.log');
    const timesIn = () => log.textContent.match(/t\d{13}(?!\d)/gu) ?? [];
    const seen = new Set(timesIn());
    window.ages = [];
    window.watching?.disconnect();
    window.watching = new MutationObserver(() => {
      for (const time of timesIn()) {
        if (seen.has(time)) continue;
        seen.add(time);
        window.ages.push(Date.now() - Number(time.slice(1)));
      }
    });
    window.watching.observe(log, { childList: true, characterData: true, subtree: true });
  });
  const bare = readBare(bench, id, headers);
  await page.locator('textarea').fill('@ann scene:clock');
  await page.locator('textarea').press('Enter');
  const ages = await bare;
  return { page: spread(await page.evaluate(() => window.ages)), bare: spread(ages) };
}

/** Reads the stream as a program does, until the turn is over. */
async function readBare(bench, id, headers) {
  const response = await fetch(`${bench.origin}/api/stream?conversation=${id}`, { headers });
  const decoder = new TextDecoder();
  const ages = [];
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop();
    for (const frame of frames) {
      if (frame.includes('event: progress'))
        for (const [, time] of frame.matchAll(/t(\d{13}) /gu)) ages.push(Date.now() - Number(time));
      if (frame.includes('"turn-end"') && ages.length > 0) return ages;
    }
  }
  return ages;
}

/** A reader that opens the stream and never reads. */
function openDeaf(bench, id, headers) {
  const { hostname, port, host } = new URL(bench.origin);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(
    [`GET /api/stream?conversation=${id} HTTP/1.1`, `host: ${host}`, ...lines, '', ''].join('\r\n'),
  );
  socket.pause();
  return socket;
}

async function measureManyStreams(bench, id, headers) {
  const open = async () => {
    const stop = new AbortController();
    const response = await fetch(`${bench.origin}/api/stream?conversation=${id}`, {
      headers,
      signal: stop.signal,
    });
    await response.body.getReader().read();
    stop.abort();
  };
  for (let stream = 0; stream < STREAMS; stream++) await open();
  const before = await bench.heap();
  for (let stream = 0; stream < STREAMS; stream++) await open();
  goal(`B5 heap after ${STREAMS} more streams were opened and left`, (await bench.heap()) - before, 2, ' MB');
}

function spread(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return { p50: median(sorted), p95: sorted[Math.floor(sorted.length * 0.95)] };
}
