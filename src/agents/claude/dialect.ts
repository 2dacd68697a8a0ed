import type { McpServer } from '../../models/McpServer.js';
import type { Permission } from '../../models/Team.js';
import { utf8Length } from '../../utils/bytes.js';
import type { SessionChoice, TurnRequest } from '../AgentAdapter.js';
import {
  type Argument,
  argumentValue,
  type Dialect,
  folderValue,
  type Invocation,
  listValue,
} from '../dialect/Dialect.js';
import { createClaudeReader, explainClaudeExit, refusesSystemText } from './events.js';

const readingTools = ['Read', 'Grep', 'Glob'];

/**
 * The longest system text sent as an argument; other text goes by file. One argument on Linux holds at most
 * 128 KiB, well above this, and no NUL.
 */
const maxArgumentBytes = 96 * 1024;
const systemTextFile = 'system.md';

/** Tools that act after the turn, on other processes, or start agents that were not asked for. */
const toolsBeyondTheTurn = [
  'Task',
  'Workflow',
  'SendMessage',
  'ListAgents',
  'CronCreate',
  'CronDelete',
  'CronList',
  'ScheduleWakeup',
  'Monitor',
];

/**
 * Without a terminal what is not allowed is denied, never asked for. `full` is refused by Claude Code when it runs as
 * root, unless IS_SANDBOX=1 says that this is a container: only the user can know that, so it is never set here and
 * passes through from the user's environment.
 */
const permissionArguments: Readonly<Record<Permission, (tools: readonly string[]) => readonly string[]>> = {
  read: (tools) => ['--tools', [...readingTools, ...tools].join(','), '--strict-mcp-config'],
  edit: () => ['--permission-mode', 'acceptEdits'],
  full: () => ['--dangerously-skip-permissions'],
};

export function prepareClaude(request: TurnRequest): Invocation {
  const system = systemArguments(request.systemFlag);
  const servers = createServerFile(request.mcpServers ?? []);
  return {
    command: request.command ?? ['claude'],
    args: [
      '-p',
      '--verbose',
      '--output-format',
      'stream-json',
      '--include-partial-messages',
      ...(request.model ? ['--model', argumentValue('model', request.model)] : []),
      ...system.args,
      ...sessionArguments(request.session),
      ...folderArguments(request),
      ...servers.args,
      ...toolArguments(request, servers.allowed),
    ],
    env: {
      // Ten attempts take three minutes, even when the key is wrong.
      CLAUDE_CODE_MAX_RETRIES: '2',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
    files: [...system.files, ...servers.files],
    stdin: request.prompt,
  };
}

/** The permission, and what the lists of the member add to it or take away. What is asked for by name is not switched off. */
function toolArguments(
  { permission, allow = [], deny = [] }: TurnRequest,
  ofServers: readonly string[],
): readonly string[] {
  const listed = allow.map((entry) => listValue('allow', entry));
  const names = [...new Set(listed.map((entry) => entry.replace(/\(.*$/su, '')))];
  const allowed = [...listed, ...ofServers];
  const off = permission === 'read' ? [] : toolsBeyondTheTurn.filter((tool) => !names.includes(tool));
  const denied = [...off, ...deny.map((entry) => listValue('deny', entry))];
  return [
    ...permissionArguments[permission](names),
    ...(allowed.length > 0 ? ['--allowedTools', allowed.join(',')] : []),
    ...(denied.length > 0 ? ['--disallowedTools', denied.join(',')] : []),
  ];
}

function folderArguments({ additionalFolders = [] }: TurnRequest): readonly string[] {
  return additionalFolders.flatMap(({ path }) => ['--add-dir', folderValue('additionalFolders', path)]);
}

function systemArguments(systemText: string | undefined): {
  args: readonly Argument[];
  files: Invocation['files'];
} {
  if (!systemText) return { args: [], files: [] };
  if (utf8Length(systemText) <= maxArgumentBytes && !systemText.includes('\0'))
    return { args: ['--append-system-prompt', systemText], files: [] };
  return {
    args: ['--append-system-prompt-file', { file: systemTextFile }],
    files: [{ file: systemTextFile, content: systemText }],
  };
}

/** Without `--system-prompt-snapshot off` a resumed session replays the system text of its first turn. */
function sessionArguments(session: SessionChoice): readonly string[] {
  if (session.kind === 'new') return [];
  const resume = [
    '--resume',
    argumentValue('session.sessionId', session.sessionId),
    '--system-prompt-snapshot',
    'off',
  ];
  if (session.kind === 'resume') return resume;
  const place =
    session.at === undefined ? [] : ['--resume-session-at', argumentValue('session.at', session.at)];
  return [...resume, '--fork-session', ...place];
}

const FILE = 'mcp.json';

/** Gives servers to Claude Code by a file, which may hold secrets, and says that their tools may be used. */
export function createServerFile(servers: readonly McpServer[]): {
  readonly args: readonly Argument[];
  readonly files: Invocation['files'];
  readonly allowed: readonly string[];
} {
  if (servers.length === 0) return { args: [], files: [], allowed: [] };
  const mcpServers = Object.fromEntries(servers.map((server) => [server.name, describeServer(server)]));
  return {
    args: ['--mcp-config', { file: FILE }],
    files: [{ file: FILE, content: JSON.stringify({ mcpServers }) }],
    allowed: servers.map(({ name }) => `mcp__${name}`),
  };
}

function describeServer(server: McpServer): object {
  if (server.transport !== 'stdio') {
    const { transport: type, url, headers = {} } = server;
    return { type, url, headers };
  }
  const { transport: type, command, args = [], env = {} } = server;
  return { type, command, args, env };
}

export const claudeDialect: Dialect = {
  output: 'json-lines',
  login: { run: 'claude', type: '/login', variables: ['ANTHROPIC_API_KEY'] },
  takesServer: () => true,
  prepare: prepareClaude,
  createReader: createClaudeReader,
  explainExit: explainClaudeExit,
  refusesSystemText,
};
