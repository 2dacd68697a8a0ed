import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCommand } from '../../utils/findCommand.js';
import type { CliContext } from '../start/CliContext.js';
import type { McpFlags } from './McpFlags.js';
import { MCP_DEFAULTS } from './mcpClients.js';

/** The command line that starts the same server: by name if that leads to this very program, else by its path. */
export function serverCommand(flags: McpFlags, context: CliContext): readonly [string, ...string[]] {
  const { env, workingFolder } = context;
  const file = realpathSync(process.argv[1] ?? '');
  const found = findCommand('huddle', { path: env.PATH, workingFolder });
  const isOnPath = found.kind === 'found' && realpathSync(found.file) === file;
  const program: readonly [string, ...string[]] = isOnPath ? ['huddle'] : [process.execPath, file];
  const store = context.storeWish?.name;
  const named = store === undefined ? [] : ['--store', store];
  return [...program, 'mcp', ...named, ...argumentsOf(flags, workingFolder)];
}

/** The flags as they would be typed, without those that are as they are by default. */
function argumentsOf(flags: McpFlags, workingFolder: string): string[] {
  const { team, folder, permission, maxAsks, maxTurns, maxUsd, wait, debugFile } = flags;
  const path = (file: string | undefined) => file && resolve(workingFolder, file);
  const values: ReadonlyArray<readonly [flag: string, value: string | number | undefined]> = [
    ['--team', path(team)],
    ['--folder', path(folder)],
    ['--permission', permission === MCP_DEFAULTS.permission ? undefined : permission],
    ['--max-asks', maxAsks === MCP_DEFAULTS.maxAsks ? undefined : maxAsks],
    ['--max-turns', maxTurns === MCP_DEFAULTS.maxTurns ? undefined : maxTurns],
    ['--max-usd', maxUsd],
    ['--wait', wait],
    ['--debug-file', path(debugFile)],
  ];
  const typed = values.flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]));
  return [
    ...typed,
    ...(flags.continueSessions ? ['--continue-sessions'] : []),
    ...(flags.trust ? ['--trust'] : []),
  ];
}
