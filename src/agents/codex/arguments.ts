import { InvalidOptionError } from '../../models/errors.js';
import type { Permission } from '../../models/Team.js';
import type { SessionChoice, TurnRequest } from '../AgentAdapter.js';
import { argumentValue } from '../dialect/argumentValue.js';
import type { Invocation } from '../dialect/Dialect.js';
import { switchOffServers } from './mcpServers.js';

const sandboxes: Readonly<Record<Permission, string>> = {
  read: 'read-only',
  edit: 'workspace-write',
  full: 'danger-full-access',
};

/**
 * Analytics and plugins cost five seconds a turn when there is no network; the other two let Codex start agents
 * of its own. Given as settings, not as `--disable`: a version that does not know one warns and continues.
 * How often it tries again can be set for custom providers only, never for its own: see the `retry` events.
 */
const switchedOff = [
  'analytics.enabled',
  'features.plugins',
  'features.multi_agent',
  'features.multi_agent_v2',
];

/**
 * `-` reads the prompt from stdin. The sandbox must stand before the word `resume`. `servers` are MCP servers that must
 * not be started, see `mcpServers.ts`.
 */
export function prepareCodex(request: TurnRequest, servers: readonly string[] = []): Invocation {
  return {
    command: request.command ?? ['codex'],
    args: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      ...(request.model ? ['-m', argumentValue('model', request.model)] : []),
      ...switchedOff.flatMap((setting) => ['-c', `${setting}=false`]),
      ...switchOffServers(servers),
      '--sandbox',
      sandboxes[request.permission],
      ...sessionArguments(request.session),
      '-',
    ],
    env: {},
    files: [],
    stdin: request.prompt,
  };
}

/** Its threads can be forked at their end only. */
function sessionArguments(session: SessionChoice): readonly string[] {
  if (session.kind === 'fork' && session.at !== undefined)
    throw new InvalidOptionError('session.at', session.at, 'absent for Codex');
  return session.kind === 'new' ? [] : [session.kind, argumentValue('session.sessionId', session.sessionId)];
}
