import type { McpServer } from '../../models/McpServer.js';
import type { Argument, Invocation } from '../dialect/Dialect.js';

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
