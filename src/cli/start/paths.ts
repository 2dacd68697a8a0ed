import { dirname, join, relative } from 'node:path';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import type { CliContext } from './CliContext.js';

/** The path of a file as a person here types it: relative if the file is in this folder or below. */
export function showPath(file: string, { workingFolder }: Pick<CliContext, 'workingFolder'>): string {
  const short = relative(workingFolder, file);
  return sanitizeForTerminal(short !== '' && !short.startsWith('..') ? short : file);
}

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
