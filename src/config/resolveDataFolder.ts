import { isAbsolute, join } from 'node:path';
import { HuddleError } from '../models/errors.js';

/**
 * Resolves the data folder by the XDG rules; a relative XDG_DATA_HOME does not count. Never a path that depends
 * on where the user is: sessions would end up in a project, and be committed with it.
 */
export function resolveDataFolder(
  env: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
): string {
  const { HUDDLE_HOME = '', XDG_DATA_HOME = '' } = env;
  if (isAbsolute(HUDDLE_HOME)) return HUDDLE_HOME;
  if (HUDDLE_HOME !== '') throw new HuddleError('DATA_FOLDER', { relative: HUDDLE_HOME });
  if (isAbsolute(XDG_DATA_HOME)) return join(XDG_DATA_HOME, 'huddle');
  if (isAbsolute(homeFolder)) return join(homeFolder, '.local', 'share', 'huddle');
  throw new HuddleError('DATA_FOLDER', { home: 'unknown' });
}

/** Resolves the file of the user's settings by the XDG rules; a relative XDG_CONFIG_HOME does not count. Undefined without a home folder. */
export function resolveConfigFile(
  { XDG_CONFIG_HOME = '' }: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
): string | undefined {
  const path = ['huddle', 'config.jsonc'];
  if (isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, ...path);
  return isAbsolute(homeFolder) ? join(homeFolder, '.config', ...path) : undefined;
}
