import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Folders that also a web page can use. */
const BROWSER_SAFE = ['conversation'];

test.each(BROWSER_SAFE)('src/%s runs in a browser', async (folder) => {
  const input = readdirSync(join(source, folder)).map((file) => join(source, folder, file));
  const bundle = await rolldown({ input, platform: 'browser', external: /^node:/u });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const chunks = output.filter((part) => part.type === 'chunk');
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const foreign = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  expect(foreign.filter((file) => !own.has(file))).toEqual([]);
  for (const { code } of chunks) expect(code).not.toMatch(/\b(?:Buffer|process|require)\b/u);
});
