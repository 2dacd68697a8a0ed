import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Compiles `storeProgram.ts` into one file that plain Node can run, inside the project so that it finds its packages. */
export async function bundleStoreProgram(): Promise<string> {
  const cache = fileURLToPath(new URL('../../.cache', import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'store-'));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL('storeProgram.ts', import.meta.url)),
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'store.mjs' } },
    },
  });
  return join(folder, 'store.mjs');
}
