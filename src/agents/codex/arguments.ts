import { InvalidOptionError } from '../../models/errors.js';
import type { Permission } from '../../models/Team.js';
import type { SessionChoice, TurnRequest } from '../AgentAdapter.js';
import { argumentValue, folderValue } from '../dialect/argumentValue.js';
import type { Invocation } from '../dialect/Dialect.js';
import { switchOffServers } from './mcpServers.js';
import { createServerSettings } from './serverSettings.js';

const sandboxes: Readonly<Record<Permission, string>> = {
  read: 'read-only',
  edit: 'workspace-write',
  full: 'danger-full-access',
};

/**
 * Analytics and plugins cost five seconds a turn when there is no network; the others let Codex start agents of
 * its own, each in some versions. Given as settings, not as `--disable`: a version that does not know one warns and continues.
 * How often it tries again can be set for custom providers only, never for its own: see the `retry` events.
 */
const switchedOff = [
  'analytics.enabled',
  'features.plugins',
  'features.multi_agent',
  'features.multi_agent_v2',
  'agents.enabled',
];

/**
 * `-` reads the prompt from stdin. The sandbox must stand before the word `resume`. `servers` are MCP servers that must
 * not be started, see `mcpServers.ts`.
 */
export function prepareCodex(request: TurnRequest, servers: readonly string[] = []): Invocation {
  const given = createServerSettings(request.mcpServers ?? []);
  return {
    command: request.command ?? ['codex'],
    args: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      ...(request.model ? ['-m', argumentValue('model', request.model)] : []),
      ...switchedOff.flatMap((setting) => ['-c', `${setting}=false`]),
      ...switchOffServers(servers),
      ...given.args,
      '--sandbox',
      sandboxes[request.permission],
      ...folderArguments(request),
      ...sessionArguments(request.session),
      '-',
    ],
    env: given.env,
    files: [],
    stdin: request.prompt,
  };
}

/** Folders that it may also write to: it reads everything anyway, and with `full` it writes everything. */
function folderArguments({ permission, additionalFolders = [] }: TurnRequest): readonly string[] {
  if (permission !== 'edit') return [];
  return additionalFolders
    .filter(({ isReadOnly = false }) => !isReadOnly)
    .flatMap(({ path }) => ['--add-dir', folderValue('additionalFolders', path)]);
}

/** Its threads can be forked at their end only. */
function sessionArguments(session: SessionChoice): readonly string[] {
  if (session.kind === 'fork' && session.at !== undefined)
    throw new InvalidOptionError('session.at', session.at, 'absent for Codex');
  return session.kind === 'new' ? [] : [session.kind, argumentValue('session.sessionId', session.sessionId)];
}
