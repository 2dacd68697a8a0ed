import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll } from 'vitest';
import { REHEARSAL_VARIABLES } from '../../src/agents/rehearsal/simulatedTurn.js';
import type { SimulatorName } from './simulators.js';

export interface VendorScript {
  readonly memberName?: string;
  readonly script?: unknown;
  readonly stateFolder?: string;
}

/** Compiles `vendorAgent.ts` into one file that plain Node can run, for the tests of one file, in a folder under `parent`. */
export async function bundleVendorAgent(parent = tmpdir()): Promise<string> {
  const folder = mkdtempSync(join(parent, 'huddle-vendor-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
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
  return join(folder, 'vendorAgent.mjs');
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
