import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { REHEARSAL_VARIABLES } from '../../src/agents/rehearsal/simulatedTurn.js';
import type { SimulatorName } from './simulators.js';

export interface VendorScript {
  readonly memberName?: string;
  readonly script?: unknown;
  readonly stateFolder?: string;
}

/** Compiles `vendorAgent.ts` into one file that plain Node can run, unless that is in `parent` already. */
export async function bundleVendorAgent(parent = inject('runFolder')): Promise<string> {
  const bundle = join(parent, 'vendorAgent.mjs');
  if (existsSync(bundle)) return bundle;
  const { build } = await import('vite');
  const folder = mkdtempSync(join(parent, 'vendorAgent-'));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL('vendorAgent.ts', import.meta.url)),
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'vendorAgent.mjs' } },
    },
  });
  renameSync(join(folder, 'vendorAgent.mjs'), bundle);
  return bundle;
}

/** The `command` of a member whose program answers like a CLI. */
export function vendorCommand(
  program: string,
  name: SimulatorName,
  told: VendorScript = {},
): readonly string[] {
  return [...tellScript(told), process.execPath, program, '--dialect', name];
}

/** The beginning of a command that tells a simulated agent what to do. */
export function tellScript({ memberName = 'max', script, stateFolder }: VendorScript): readonly string[] {
  const { memberName: member, script: inline, stateFolder: state } = REHEARSAL_VARIABLES;
  return [
    '/usr/bin/env',
    `${member}=${memberName}`,
    ...(script === undefined ? [] : [`${inline}=${JSON.stringify(script)}`]),
    ...(stateFolder === undefined ? [] : [`${state}=${stateFolder}`]),
  ];
}
