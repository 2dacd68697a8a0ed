import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasTmux } from '../frontends/tui/TmuxScreen.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

type DrawTerminal = (
  screen: string,
  frame: { columns: number; title: string; description: string },
) => string;
const { drawTerminal }: { drawTerminal: DrawTerminal } = await import(
  join(root, 'scripts', 'pictures', 'drawTerminal.mjs')
);

const draw = (screen: string): string =>
  drawTerminal(screen, { columns: 40, title: 'a "title"', description: 'a <description>' });

/** Every tag is closed in its turn, and nothing stands in the text that would have to be escaped. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  for (const [, end, name = '', rest = ''] of svg.matchAll(
    /<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*\s*\/?)>/gu,
  )) {
    if (end) expect(open.pop()).toBe(name);
    else if (!rest.endsWith('/')) open.push(name);
  }
  expect(open).toEqual([]);
  const text = svg.replaceAll(/<\/?[\w:]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/gu, '');
  expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot);)/u);
  expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u);
}

describe('a drawn terminal', () => {
  test('has the text as text, escaped', () => {
    const svg = draw('a < b && "c"\n小明：你好\n');
    expectWellFormed(svg);
    expect(svg).toContain('>a &lt; b &amp;&amp; &quot;c&quot;</text>');
    expect(svg).toContain('>小明：你好</text>');
  });

  test('has what follows wide characters in its own column', () => {
    const [wide, narrow] = ['小明 x', 'abcd x'].map((row) => /x="([\d.]+)"[^>]*>x</u.exec(draw(row))?.[1]);
    const [, marked] = /x="([\d.]+)"[^>]*>x</u.exec(draw('abcd  x')) ?? [];
    expect(wide).toBe(String(18 + 5 * 8.4));
    expect(narrow).toBeUndefined(); // One run: the blank between stays inside it.
    expect(marked).toBe(String(18 + 6 * 8.4));
  });

  test('has the colours, and keeps one over the end of a row', () => {
    const svg = draw('\u001b[1;38;2;255;100;0mone\ntwo\u001b[0m three \u001b[7m four \u001b[0m\u001b[2mfive');
    expectWellFormed(svg);
    expect(svg).toMatch(/fill="#ff6400" font-weight="bold">one</u);
    expect(svg).toMatch(/fill="#ff6400" font-weight="bold">two</u);
    expect(svg).toMatch(/<rect [^>]*fill="#d6dae1"\/><text [^>]*fill="#14161b">four</u);
    expect(svg).toMatch(/fill-opacity="0.55">five</u);
  });

  test('leaves out every other escape sequence and control character', () => {
    const svg = draw('a\u001b[2Jb\u001b]8;;http://x\u0007c\u001b]0;t\u001b\\d\u0007e\u009bf\u001b');
    expectWellFormed(svg);
    expect(svg).toContain('>abcdef</text>');
  });
});

describe.skipIf(!hasTmux())('npm run picture', () => {
  test('draws a real conversation, and how it came about', { timeout: 60_000 }, () => {
    const [still, recording] = drawPictures('huddle', 'recording');
    for (const name of ['architect', 'engineer', 'critic']) expect(still).toContain(`>${name}</text>`);
    expect(still).toContain('First step: the table.');
    expect(recording).toContain('First step: the table.');
    expect(recording).toContain('infinite');
  });

  test('draws an approval with the whole change', { timeout: 60_000 }, () => {
    const [approval] = drawPictures('approval');
    expect(approval).toContain('y⏎ allow');
    expect(approval).toContain('throw new TooLarge();');
  });

  test('draws who sees what, as the runs really went', { timeout: 60_000 }, () => {
    const [fanouts = '', budget] = drawPictures('fanouts', 'budget');
    const [sequential = 0, sameQuestion = 0, blind = 0] = fanouts
      .split('"fanout"')
      .slice(1)
      .map((panel) => panel.match(/stroke-dasharray/gu)?.length ?? 0);
    expect([sequential, sameQuestion, blind]).toEqual([3, 3, 1]); // The legend is drawn after the last panel.
    expect(budget).toContain('context.maxBytes = 4,096');
  });

  test.each(readdirSync(join(root, 'docs', 'pictures')).filter((file) => file.endsWith('.svg')))(
    'has drawn %s in the repository',
    (file) => expectWellFormed(readFileSync(join(root, 'docs', 'pictures', file), 'utf8')),
  );
});

/** Pictures by their names, drawn anew and well formed. */
function drawPictures(...names: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-picture-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [
    join(root, 'scripts', 'pictures', 'draw.mjs'),
    ...names,
    '--output',
    folder,
  ]);
  return names.map((name) => {
    const svg = readFileSync(join(folder, `${name}.svg`), 'utf8');
    expectWellFormed(svg);
    return svg;
  });
}
