import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { beforeAll, expect, test, vi } from 'vitest';
import { root } from '../../../cli/runHuddle.js';

const KILOBYTE = 1024;

interface Bundling {
  describePage(outDir: string): InlineConfig;
}

let page: Rolldown.RolldownOutput['output'];

beforeAll(async () => {
  const { describePage }: Bundling = await import(`${root}scripts/bundlePage.mjs`);
  // As it is shipped: with vitest's own, packages bring their checks along.
  vi.stubEnv('NODE_ENV', 'production');
  try {
    const config = describePage('nowhere');
    const built = await build({ ...config, build: { ...config.build, write: false } });
    page = ([built].flat()[0] as Rolldown.RolldownOutput).output;
  } finally {
    vi.unstubAllEnvs();
  }
});

test('the page needs nothing of Node', () => {
  expect(modules().filter((id) => /^node:|__vite-browser-external/u.test(id))).toEqual([]);
  expect(
    page.flatMap((file) => (file.type === 'chunk' ? file.imports : [])).filter((name) => !isFile(name)),
  ).toEqual([]);
});

test('the page has no script, style or handler in its text: its policy forbids them', () => {
  const html = textOf('index.html');
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/u);
});

test('no code of the page makes HTML of a text', () => {
  const ours = modules().filter((id) => id.startsWith(`${root}src/frontends/web/page/`));
  expect(ours.length).toBeGreaterThan(20);
  const makers = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write/u;
  expect(ours.filter((id) => makers.test(readFileSync(id, 'utf8')))).toEqual([]);
});

test('the page has the sections of the catalogue that it reads, and no catalogue as a whole', () => {
  const texts = modules().filter((id) => id.startsWith(`${root}src/catalogue/`));
  expect(texts.length).toBeGreaterThan(20);
  expect(
    texts.filter((id) =>
      /catalogue\/(?:words|english|chinese)\.ts$|\/(?:acp|cli|doctor|help|mcp|terminal|webDoor)\.ts$/u.test(
        id,
      ),
    ),
  ).toEqual([]);
});

test('English that only panels say comes with them', () => {
  const said = page.filter((file) => file.type === 'chunk' && holds(file, /english\/webPanels\.ts$/u));
  expect(said.map(({ fileName }) => /panelWords/u.test(fileName))).toEqual([true]);
  expect(page.some((file) => file.type === 'chunk' && file.isEntry && said.includes(file))).toBe(false);
  const loaders = page.filter(
    (file) => file.type === 'chunk' && file.isDynamicEntry && holds(file, /panels\/\w+(?:Panel|Bar)\.tsx$/u),
  );
  expect(loaders.length).toBeGreaterThan(3);
  const without = loaders.filter(({ fileName }) => !chunksOf(fileName).has(said[0]?.fileName ?? ''));
  expect(without.map(({ fileName }) => fileName)).toEqual([]);
});

test('at most 60 KB come before the first message, and 200 KB in all', () => {
  const first = page.filter(
    ({ fileName }) => textOf('index.html').includes(fileName) || isAlwaysLoaded(fileName),
  );
  expect(sizeOf(first)).toBeLessThanOrEqual(60 * KILOBYTE);
  expect(sizeOf(page.filter(({ fileName }) => /\.(?:js|css)$/u.test(fileName)))).toBeLessThanOrEqual(
    200 * KILOBYTE,
  );
});

/** A chunk and all that it brings along. */
function chunksOf(fileName: string, seen = new Set<string>()): ReadonlySet<string> {
  seen.add(fileName);
  for (const file of page)
    if (file.type === 'chunk' && file.fileName === fileName)
      for (const each of file.imports) if (!seen.has(each)) chunksOf(each, seen);
  return seen;
}

function holds({ moduleIds }: Rolldown.OutputChunk, name: RegExp): boolean {
  return moduleIds.some((id) => name.test(id));
}

/** Chunks that the first one imports, and those that they do. */
function isAlwaysLoaded(fileName: string, seen = new Set<string>()): boolean {
  return page.some((file) => {
    if (file.type !== 'chunk' || !file.imports.includes(fileName) || seen.has(file.fileName)) return false;
    return file.isEntry || isAlwaysLoaded(file.fileName, seen.add(file.fileName));
  });
}

function modules(): readonly string[] {
  const ids = page.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  // The address of a worker is no module.
  return ids.filter((id) => !id.includes('?'));
}

function isFile(name: string): boolean {
  return page.some(({ fileName }) => fileName === name);
}

function textOf(name: string): string {
  const file = page.find(({ fileName }) => fileName === name);
  return file?.type === 'asset' ? String(file.source) : '';
}

function sizeOf(files: readonly (typeof page)[number][]): number {
  const sizes = files.map((file) => gzipSync(file.type === 'chunk' ? file.code : file.source).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}
