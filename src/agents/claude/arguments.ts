import type { Permission } from '../../models/Team.js';
import { utf8Length } from '../../utils/bytes.js';
import type { SessionChoice, TurnRequest } from '../AgentAdapter.js';
import { argumentValue, folderValue, listValue } from '../dialect/argumentValue.js';
import type { Argument, Invocation } from '../dialect/Dialect.js';
import { createServerFile } from './serverFile.js';

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
