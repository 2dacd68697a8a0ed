import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../../cli/runHuddle.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';
import { PAGE, startServer } from './server.js';

const SCRIPT = '/assets/index-3f9a.js';

/** A page of which the script is there compressed as well; the texts tell which of them was sent. */
function writePackedPage(): string {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, SCRIPT), 'plain');
  writeFileSync(join(folder, `${SCRIPT}.br`), 'br');
  writeFileSync(join(folder, `${SCRIPT}.gz`), 'gzip');
  return folder;
}

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5, br;q=0', 'gzip'],
  ['br;q=0.000', 'plain'],
  ['identity', 'plain'],
  ['brotli, x-gzip', 'plain'],
  [undefined, 'plain'],
])('a browser that takes %s gets a file of the page %s', async (accepted, sent) => {
  const server = await startServer({ pageFolder: writePackedPage() });
  const answer = await server.ask({ path: SCRIPT, headers: { 'accept-encoding': accepted } });
  expect([answer.status, answer.text]).toEqual([200, sent]);
  expect(answer.headers.get('content-encoding')).toBe(sent === 'plain' ? null : sent);
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(answer.headers.get('cache-control')).toMatch(/immutable/u);
  expect(answer.headers.get('vary')).toBe('accept-encoding');
});

test('a file that is not there compressed is sent as it is, and what is compressed has no address', async () => {
  const server = await startServer({ pageFolder: writePackedPage() });
  const page = await server.ask({ path: '/', headers: { 'accept-encoding': 'br, gzip' } });
  expect([page.text, page.headers.get('content-encoding')]).toEqual([PAGE, null]);
  for (const path of [`${SCRIPT}.br`, `${SCRIPT}.gz`])
    expect(await server.ask({ path })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test('every file of the built page is there compressed, and is the same', () => {
  const folder = join(root, 'dist', 'web');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(?:html|js|css)$/u.test(name));
  expect(files.length).toBeGreaterThan(10);
  for (const name of files) {
    const bytes = readFileSync(join(folder, name));
    expect(brotliDecompressSync(readFileSync(join(folder, `${name}.br`))).equals(bytes)).toBe(true);
    expect(gunzipSync(readFileSync(join(folder, `${name}.gz`))).equals(bytes)).toBe(true);
  }
});
