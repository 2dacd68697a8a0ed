// Takes pictures of the page of `huddle web` in a real browser: a real server, and agents that play a scene.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../chromium.mjs';

const program = fileURLToPath(new URL('../../dist/cli/huddle.js', import.meta.url));
const agent = fileURLToPath(
  new URL('../../test/frontends/web/browser/scenery/sceneAgent.mjs', import.meta.url),
);
const ADDRESS = /http:\/\/\S+#code=\S+/u;

/** A conversation with code, a table, a review, a permission request; each picture with its own screen. */
export const WEB_PICTURES = {
  'web.png': {
    size: { width: 1280, height: 800 },
    colorScheme: 'light',
    locale: 'en-US',
    panel: 'changes/turn-1',
    said: ['@author Refuse large uploads.', '@reviewer Where is this weak?'],
    scenes: { author: ['scene:reply reply=plan'], reviewer: ['scene:reply reply=review'] },
  },
  'web-dark.png': {
    size: { width: 1280, height: 800 },
    colorScheme: 'dark',
    locale: 'zh-CN',
    panel: 'why/turn-2',
    said: ['@author 限制上传大小。', '@reviewer 有哪些不足？'],
    scenes: { author: ['scene:reply reply=plan'], reviewer: ['scene:reply reply=chinese'] },
  },
  'web-narrow.png': {
    size: { width: 400, height: 800 },
    colorScheme: 'light',
    locale: 'en-US',
    said: ['@reviewer Where is this weak?', '@author Publish it.'],
    scenes: { author: ['scene:publish'], reviewer: ['scene:reply reply=review'] },
    isAsking: true,
  },
};

/** One of these pictures, as a PNG. */
export async function photographWeb({ size, colorScheme, locale, panel, said, scenes, isAsking = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-picture-'));
  const server = await startServer(folder, scenes);
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ viewport: size, colorScheme, locale, timezoneId: 'UTC' });
    const page = await context.newPage();
    await page.goto(server.address);
    await page.locator('.new button').first().click();
    for (const [index, message] of said.entries()) {
      await page.locator('textarea').fill(message);
      await page.locator('textarea').press('Enter');
      if (!isAsking || index < said.length - 1)
        await page.getByText(`turn-${index + 1}`, { exact: true }).waitFor();
    }
    if (isAsking) await page.locator('.approval').waitFor();
    if (panel !== undefined) {
      await page.goto(`${page.url()}/${panel}`);
      await page.locator('.panel-body details').first().waitFor();
      for (const fold of await page.locator('.panel details summary').all()) await fold.click();
      await page.getByText('turn-2', { exact: true }).first().waitFor();
    }
    await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined); // The stream stays open.
    return await page.screenshot();
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startServer(folder, scenes) {
  const project = join(folder, 'uploads');
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(
    join(project, 'src', 'server.ts'),
    'export async function upload(request: Request) {\n  save(await read(request));\n}\n',
  );
  const member = (name, peer) => ({
    name,
    type: 'ai',
    agentType: 'acp',
    permission: 'edit',
    command: [process.execPath, agent, name, peer, ...scenes[name]],
  });
  const members = [
    { name: 'kim', type: 'human' },
    member('author', 'reviewer'),
    member('reviewer', 'author'),
  ];
  writeFileSync(join(project, 'huddle.jsonc'), JSON.stringify({ version: 1, name: 'uploads', members }));
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, HUDDLE_HOME: join(folder, 'data') };
  const child = spawn(process.execPath, [program, 'web', '--trust', '--port', '0'], { cwd: project, env });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  while (!ADDRESS.test(said)) await once(child.stdout, 'data');
  return {
    address: ADDRESS.exec(said)[0],
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
