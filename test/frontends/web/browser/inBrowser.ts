import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { root } from '../../../cli/runHuddle.js';
import type { Browser, BrowserContext, ContextOptions } from './driver.js';

interface Chromium {
  findChromium(): string | undefined;
  launchChromium(): Promise<Browser>;
  readAxe(): string;
}

const { findChromium, launchChromium, readAxe }: Chromium = await import(`${root}scripts/chromium.mjs`);

const INSTALLING_MILLISECONDS = 180_000;
const isRequired = process.env.HUDDLE_REQUIRE_BROWSER === '1';

/** Browsers of a file of tests: one process, and for each test a context of its own, closed with it. */
export interface InBrowser {
  open(options?: ContextOptions): Promise<BrowserContext>;
}

/** Tests in a real Chromium. Without one they are skipped and say how to run them, unless HUDDLE_REQUIRE_BROWSER is 1. */
export function describeInBrowser(title: string, tests: (browser: InBrowser) => void): void {
  const isMissing = findChromium() === undefined;
  if (isMissing && !isRequired)
    console.warn(
      `Skipped: ${title}: no Chromium here. To run these tests, install chromium and fonts-noto-cjk, or set CHROME_PATH.`,
    );
  describe.skipIf(isMissing && !isRequired)(title, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await launchChromium();
    }, INSTALLING_MILLISECONDS);
    afterAll(async () => {
      await browser?.close();
    });
    tests({
      async open(options = {}) {
        if (browser === undefined) throw new Error('A context is opened before the browser was started');
        const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
        onTestFinished(() => context.close());
        return context;
      },
    });
  });
}

export const axe = readAxe;
