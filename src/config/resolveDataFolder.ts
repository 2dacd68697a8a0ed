import { isAbsolute, join } from 'node:path';

/** Where Huddle keeps what must last, by the XDG rules; a relative XDG_DATA_HOME does not count. */
export function resolveDataFolder(
  env: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
): string {
  if (env.HUDDLE_HOME) return env.HUDDLE_HOME;
  const { XDG_DATA_HOME = '' } = env;
  return join(isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(homeFolder, '.local', 'share'), 'huddle');
}
