import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { words } from '../../catalogue/words.js';
import { VENDOR_CREDENTIALS } from '../../models/vendorCredentials.js';
import { findCommand } from '../../utils/findCommand.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import type { CliContext } from '../start/CliContext.js';
import type { McpFlags } from './mcpClients.js';
import { MCP_DEFAULTS, type McpClient } from './mcpClients.js';

/** Longer than the server lets Codex wait for an answer. */
const CODEX_TIMEOUT_SECONDS = 300;
const CODEX_START_SECONDS = 20;
const GEMINI_TIMEOUT_MILLISECONDS = 600_000;

/** Variables besides keys without which Huddle or an agent would look for its things, or its model, elsewhere. */
const PLACES = [
  ...['HUDDLE_HOME', 'HUDDLE_STORE', 'PGPASSFILE', 'PGPASSWORD', 'XDG_CONFIG_HOME'],
  ...['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME'],
  ...['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
];

/** The command that starts a server, program first. */
type ServerCommand = readonly [program: string, ...rest: string[]];

/** Formats what a user types or pastes so that a client starts the server. */
export function formatClientConfig(client: McpClient, command: ServerCommand, { env }: CliContext): string {
  const [program, ...args] = command;
  const variables = [...PLACES, ...Object.values(VENDOR_CREDENTIALS).flat()].filter(
    (name) => env[name] !== undefined,
  );
  switch (client) {
    case 'claude':
      return `claude mcp add huddle -- ${command.map(quoteForShell).join(' ')}`;
    case 'codex':
      return [
        '[mcp_servers.huddle]',
        `command = ${JSON.stringify(program)}`,
        `args = ${formatList(args)}`,
        ...(variables.length === 0 ? [] : [`env_vars = ${formatList(variables)}`]),
        `startup_timeout_sec = ${CODEX_START_SECONDS}`,
        `tool_timeout_sec = ${CODEX_TIMEOUT_SECONDS}`,
        // Without it Codex asks a person before each call that may change something, and refuses where none is.
        ...(args.includes('team') ? [`# ${words.mcp.config.approve}`] : []),
      ].join('\n');
    case 'gemini':
      return formatServers({
        command: program,
        args,
        ...(variables.length > 0 && {
          env: Object.fromEntries(variables.map((name) => [name, `$${name}`])),
        }),
        timeout: GEMINI_TIMEOUT_MILLISECONDS,
      });
    case 'cursor':
      return formatServers({ command: program, args });
  }
}

/** A list in TOML, on one line. */
function formatList(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}

function formatServers(server: object): string {
  return JSON.stringify({ mcpServers: { huddle: server } }, null, 2);
}

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
