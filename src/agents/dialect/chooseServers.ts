import type { WarningEvent } from '../../models/AgentEvent.js';
import type { McpServer } from '../../models/McpServer.js';
import type { TurnRequest } from '../AgentAdapter.js';

/** The MCP servers that an agent is given in a turn, and the warning about the others. */
interface ChosenServers {
  readonly given: readonly McpServer[];
  readonly warnings: readonly WarningEvent[];
}

/** Chooses the servers of a turn. Their tools do anything, whatever the agent's own permission: with `read` there are none. */
export function chooseServers(
  { permission, mcpServers = [] }: Pick<TurnRequest, 'permission' | 'mcpServers'>,
  isTaken: (server: McpServer) => boolean,
): ChosenServers {
  const given = permission === 'read' ? [] : mcpServers.filter(isTaken);
  const servers = mcpServers.filter((server) => !given.includes(server)).map(({ name }) => name);
  if (servers.length === 0) return { given, warnings: [] };
  const because = permission === 'read' ? 'permission' : 'agent';
  return { given, warnings: [{ type: 'warning', about: { code: 'servers-not-given', servers, because } }] };
}
