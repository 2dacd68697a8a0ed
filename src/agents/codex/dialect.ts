import { InvalidOptionError } from '../../models/errors.js';
import type { McpServer, RemoteMcpServer, StdioMcpServer } from '../../models/McpServer.js';
import type { Permission } from '../../models/Team.js';
import type { SessionChoice, TurnRequest } from '../AgentAdapter.js';
import {
  argumentValue,
  type Dialect,
  folderValue,
  type Inquiry,
  type Invocation,
} from '../dialect/Dialect.js';
import { textOf } from '../dialect/records.js';
import { createCodexReader, explainCodexExit } from './events.js';

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

/**
 * The MCP servers of the user, whose tools Codex runs whatever its sandbox. With `read` they are switched off by name:
 * an empty table in their place would be merged with the user's. Listing them starts none.
 */
export const mcpServersInquiry: Inquiry = {
  isNeeded: ({ permission }) => permission === 'read',
  args: ['mcp', 'list', '--json'],
  read: readNames,
  failure: { code: 'AGENT_ERROR', reason: 'servers-unlisted', run: 'codex mcp list --json' },
};

function readNames(stdout: string): readonly string[] | undefined {
  let servers: unknown;
  try {
    servers = JSON.parse(stdout);
  } catch {
    return undefined; // It said something else, which is no list.
  }
  if (!Array.isArray(servers)) return undefined;
  const names = servers.map((server) => textOf(server, 'name'));
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** Arguments that switch servers off, in one table: Codex splits the path of a setting at dots in a name. */
export function switchOffServers(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const servers = names.map((name) => `${JSON.stringify(name)}={enabled=false}`);
  return ['-c', `mcp_servers={${servers.join(',')}}`];
}

/** Stands before the names: one of the user's own servers may have the same, and Codex would merge the two. */
const PREFIX = 'huddle-';

/** Codex speaks to programs and over HTTP. An address that may hold a secret would be an argument, which others can see. */
export function isTakenByCodex(server: McpServer): boolean {
  return server.transport === 'stdio' || (server.transport === 'http' && !/[@?#]/u.test(server.url));
}

/** Settings of Codex for servers. What may be secret goes by variables of its environment, each with a name of its own. */
export function createServerSettings(
  servers: readonly McpServer[],
): Pick<Invocation, 'env'> & { args: string[] } {
  const described = servers.map((server, index) =>
    server.transport === 'stdio' ? describeProgram(server, index) : describeAddress(server, index),
  );
  return {
    args: servers.flatMap(({ name }, index) => {
      const settings = { ...described[index]?.settings, default_tools_approval_mode: '"approve"' };
      return ['-c', `mcp_servers.${PREFIX}${name}=${toTable(settings)}`];
    }),
    env: Object.assign({}, ...described.map(({ env }) => env)),
  };
}

interface DescribedServer {
  /** Values as TOML has them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

/** With variables of its own, a shell puts them in place: Codex itself must not have a PATH or a key that is meant for a server. */
function describeProgram({ command, args = [], env = {} }: StdioMcpServer, index: number): DescribedServer {
  const named = Object.entries(env).map(([name, value], place) => ({
    name,
    value,
    carrier: carrierOf(index, place),
  }));
  if (named.length === 0) return { settings: { command: quote(command), args: quoteAll(args) }, env: {} };
  const script = named
    .map(({ name, carrier }) => `export ${name}="$${carrier}"; unset ${carrier}; `)
    .join('');
  return {
    settings: {
      command: quote('/bin/sh'),
      args: quoteAll(['-c', `${script}exec "$0" "$@"`, command, ...args]),
      env_vars: quoteAll(named.map(({ carrier }) => carrier)),
    },
    env: Object.fromEntries(named.map(({ carrier, value }) => [carrier, value])),
  };
}

function describeAddress({ url, headers = {} }: RemoteMcpServer, index: number): DescribedServer {
  const named = Object.entries(headers).map(([name, value], place) => ({
    name,
    value,
    carrier: carrierOf(index, place),
  }));
  const carriers = Object.fromEntries(named.map(({ name, carrier }) => [quote(name), quote(carrier)]));
  return {
    settings: { url: quote(url), ...(named.length > 0 && { env_http_headers: toTable(carriers) }) },
    env: Object.fromEntries(named.map(({ carrier, value }) => [carrier, value])),
  };
}

/** By such a name Codex does not hand a variable to the commands it runs, unless the user's settings say otherwise. */
function carrierOf(server: number, place: number): string {
  return `HUDDLE_MCP_SECRET_${server}_${place}`;
}

function toTable(entries: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(entries).map(([key, value]) => `${key}=${value}`);
  return `{${pairs.join(',')}}`;
}

function quoteAll(texts: readonly string[]): string {
  return `[${texts.map(quote).join(',')}]`;
}

/** A text as TOML has it: JSON but for one character. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

export const codexDialect: Dialect = {
  output: 'json-lines',
  login: { run: 'codex login', variables: ['CODEX_API_KEY'] },
  inquiry: mcpServersInquiry,
  takesServer: isTakenByCodex,
  prepare: prepareCodex,
  createReader: createCodexReader,
  explainExit: explainCodexExit,
};
