import { dirname, join } from 'node:path';
import type { CliContext } from './CliContext.js';

/** Names beside the configuration file; what reads them is not loaded for that. */
const KEY = 'key.pem';
const NAMES = [KEY, 'stores.json', 'worker.jsonc'];

/** The file with the private key of this machine. */
export function ownKeyFile({ configFile }: Pick<CliContext, 'configFile'>): { readonly keyFile?: string } {
  return configFile === undefined ? {} : { keyFile: join(dirname(configFile), KEY) };
}

/** Files of the user that agents do not get through us: with them one asks workers, or decides where conversations go. */
export function privateFiles({ configFile }: Pick<CliContext, 'configFile'>): readonly string[] {
  return configFile === undefined ? [] : NAMES.map((name) => join(dirname(configFile), name));
}
