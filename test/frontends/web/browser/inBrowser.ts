import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { root } from '../../../cli/runHuddle.js';
import { isFast } from '../../../tier.js';
import type { Browser, BrowserContext, ContextOptions, Page } from './driver.js';

interface Chromium {
  findChromium(): string | undefined;
  launchChromium(): Promise<Browser>;
  readAxe(): string;
}

const { findChromium, launchChromium, readAxe }: Chromium = await import(`${root}scripts/chromium.mjs`);

const INSTALLING_MILLISECONDS = 180_000;
/** A walk through the page waits for real agents and a real browser, beside all the other tests. */
const TEST_MILLISECONDS = 180_000;
const isRequired = process.env.HUDDLE_REQUIRE_BROWSER === '1';

/** Browsers of a file of tests: one process, and for each test a context of its own, closed with it. */
export interface InBrowser {
  open(options?: ContextOptions): Promise<BrowserContext>;
}

/** Tests in a real Chromium. Without one they are skipped and say how to run them, unless HUDDLE_REQUIRE_BROWSER is 1. */
export function describeInBrowser(title: string, tests: (browser: InBrowser) => void): void {
  const isMissing = isFast || findChromium() === undefined;
  if (isMissing && !isRequired && !isFast)
    console.warn(
      `Skipped: ${title}: no Chromium here. To run these tests, install chromium and fonts-noto-cjk, or set CHROME_PATH.`,
    );
  describe.skipIf(isFast || (isMissing && !isRequired))(title, { timeout: TEST_MILLISECONDS }, () => {
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

/** A fault that axe finds: the rule, and where. */
type Violation = readonly [rule: string, place: string];

/** Everything on the page that keeps people out. */
export async function findBarriers(page: Page): Promise<readonly Violation[]> {
  await page.evaluate(readAxe());
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html.slice(0, 200)] as const));
  });
}

interface Axe {
  run(
    context: Document,
    options: object,
  ): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}
