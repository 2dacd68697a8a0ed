import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const ENTRY = 'entry';

test('text is made safe without anything of Node', async () => {
  const bundle = await rolldown({ input: `${source}utils/sanitize.ts`, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'made' });
  const hostile = `\u202e${'a\u200b'.repeat(20_000)}\ud800`;
  const shown = runInNewContext(`${output[0].code}; made.sanitizeForTerminal(hostile)`, { hostile });
  expect(shown).toBe(`<U+202E>${'a<U+200B>'.repeat(20_000)}\ud800`);
});

test.each(['catalogue', 'conversation', 'markdown', 'markers', 'presentation'])(
  '%s/ runs in a browser: bundled for one, it needs nothing of Node',
  async (folder) => {
    const files = readdirSync(`${source}${folder}`, { recursive: true, encoding: 'utf8' });
    const entry = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .map((file) => `export * from ${JSON.stringify(`${source}${folder}/${file}`)};`)
      .join('\n');
    const bundle = await rolldown({
      input: ENTRY,
      platform: 'browser',
      plugins: [
        {
          name: 'every file of a folder',
          resolveId: (id) => (id === ENTRY ? id : null),
          load: (id) => (id === ENTRY ? entry : null),
        },
      ],
      onLog: (_level, { message }) => {
        throw new Error(message);
      },
    });
    const { output } = await bundle.generate({ format: 'iife', name: 'folder' });
    expect(output[0].imports).toEqual([]);
    const names: string[] = runInNewContext(`${output[0].code}; Object.keys(folder)`, { TextEncoder });
    expect(names.length).toBeGreaterThan(0);
  },
);
