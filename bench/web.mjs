// B1–B7: the page of `huddle web` in a real Chromium, against a real server.
import { launchChromium } from '../scripts/chromium.mjs';
import { measureLiveText } from './web/liveText.mjs';
import { measureLongLog } from './web/longLog.mjs';
import { measureStart } from './web/start.mjs';
import { WebBench } from './web/WebBench.mjs';

export async function web() {
  console.log('\nB the page of huddle web, in a real Chromium\n');
  await measureStart();
  const bench = await WebBench.start();
  const browser = await launchChromium();
  try {
    await measureLongLog(bench, browser);
    await measureLiveText(bench, browser);
  } finally {
    await browser.close();
    await bench.stop();
  }
}
