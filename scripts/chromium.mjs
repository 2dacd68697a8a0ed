// A real Chromium for the tests, the benchmark and the pictures of `huddle web`. It is found, never downloaded; the
// packages that drive it are installed when they are first needed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOnce } from './installOnce.mjs';
import { isProgram } from './isProgram.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const packageFolder = fileURLToPath(new URL('../test/frontends/web/browser', import.meta.url));

/** Nothing but what the page itself does: no updates, no first run, no requests of the browser's own. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The program: `CHROME_PATH`, else the first of its names on PATH; undefined if there is none. */
export function findChromium({ CHROME_PATH: own, PATH = '' } = process.env) {
  if (own) return own;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Starts a browser with a new profile. The caller closes it. */
export async function launchChromium(options = {}) {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('No Chromium found. Install chromium, or set CHROME_PATH.');
  const { chromium } = requireTool('playwright-core');
  const { args = [], ...others } = options;
  return chromium.launch({ executablePath, args: [...FLAGS, ...args], ...others });
}

/** The program text of axe, which checks a page for what keeps people out. */
export function readAxe() {
  return readFileSync(resolveTool('axe-core/axe.min.js'), 'utf8');
}

function requireTool(name) {
  return createRequire(import.meta.url)(resolveTool(name));
}

function resolveTool(name) {
  const installed = installOnce(packageFolder, 'browser-tests');
  return createRequire(join(installed, 'package.json')).resolve(name);
}
