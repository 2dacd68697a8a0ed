import { mkdirSync, mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Compiles a program into one file that plain Node can run, inside the project so that it finds its packages. */
export async function bundleProgram(source: URL): Promise<string> {
  const cache = fileURLToPath(new URL('../../.cache', import.meta.url));
  mkdirSync(cache, { recursive: true });
  const name = basename(source.pathname, '.ts');
  const folder = mkdtempSync(join(cache, `${name}-`));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(source),
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: `${name}.mjs` } },
    },
  });
  return join(folder, `${name}.mjs`);
}

export function bundleStoreProgram(): Promise<string> {
  return bundleProgram(new URL('storeProgram.ts', import.meta.url));
}
