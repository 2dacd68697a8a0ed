import type { McpServer, RemoteMcpServer, StdioMcpServer } from '../../models/McpServer.js';
import type { Invocation } from '../dialect/Dialect.js';

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
