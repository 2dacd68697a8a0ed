import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export interface TurnsOrder {
  readonly behaviour: string;
  readonly count: number;
  readonly atOnce: number;
  readonly pidFile?: string;
  /** In place of the hostile agent. */
  readonly command?: readonly string[];
  /** Lines for a shell that is no agent, run when the first turn has begun. */
  readonly beside?: string;
}

/** Compiles `turnsProgram.ts` into one file that plain Node can run; returns its path. */
export async function bundleTurnsProgram(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bundle-'));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL('turnsProgram.ts', import.meta.url)),
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'turns.mjs' } },
    },
  });
  return join(folder, 'turns.mjs');
}
