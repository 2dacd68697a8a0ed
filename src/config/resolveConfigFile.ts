import { isAbsolute, join } from 'node:path';

/** Resolves the file of the user's settings by the XDG rules; a relative XDG_CONFIG_HOME does not count. Undefined without a home folder. */
export function resolveConfigFile(
  { XDG_CONFIG_HOME = '' }: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
): string | undefined {
  const path = ['huddle', 'config.jsonc'];
  if (isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, ...path);
  return isAbsolute(homeFolder) ? join(homeFolder, '.config', ...path) : undefined;
}
