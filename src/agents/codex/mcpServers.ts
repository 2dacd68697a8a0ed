import type { Inquiry } from '../dialect/Dialect.js';
import { textOf } from '../dialect/records.js';

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
