import { InvalidOptionError } from './errors.js';

/** An MCP server that members get besides those of their own settings. */
export type McpServer = StdioMcpServer | RemoteMcpServer;

/** A program that each member starts for itself. */
export interface StdioMcpServer {
  readonly transport: 'stdio';
  /** 1 to 40 letters, digits, hyphens and underscores. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** May hold secrets: no argument of any program has a value of it. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RemoteMcpServer {
  readonly transport: 'http' | 'sse';
  /** As above. */
  readonly name: string;
  readonly url: string;
  /** May hold secrets, as `env`. */
  readonly headers?: Readonly<Record<string, string>>;
}

const MOST_SERVERS = 20;
const NAME = /^[A-Za-z0-9_-]{1,40}$/u;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** Values of servers that must not be shown; of a header also its last word, which is a token where the first names its kind. */
export function secretsOf(servers: readonly McpServer[]): string[] {
  return servers.flatMap((server) => {
    if (server.transport === 'stdio') return Object.values(server.env ?? {});
    return Object.values(server.headers ?? {}).flatMap((value) => [value, value.replace(/^.*\s/su, '')]);
  });
}

/** Checks servers that a program hands over. Throws InvalidOptionError. */
export function checkServers(servers: readonly McpServer[]): void {
  if (servers.length > MOST_SERVERS)
    throw new InvalidOptionError('mcpServers', `${servers.length}`, `at most ${MOST_SERVERS} servers`);
  const names = new Set<string>();
  for (const server of servers) {
    const { name } = server;
    if (!NAME.test(name))
      throw new InvalidOptionError(
        'mcpServers.name',
        JSON.stringify(name),
        '1 to 40 letters, digits, "-" and "_"',
      );
    if (names.has(name)) throw new InvalidOptionError('mcpServers.name', JSON.stringify(name), 'unique');
    names.add(name);
    const variables = server.transport === 'stdio' ? Object.keys(server.env ?? {}) : [];
    const wrong = variables.find((variable) => !VARIABLE.test(variable));
    if (wrong !== undefined)
      throw new InvalidOptionError('mcpServers.env', JSON.stringify(wrong), 'names of variables');
  }
}
