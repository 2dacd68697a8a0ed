import type { McpClient } from './mcpClients.js';
import type { ServingFlags } from './openConversations.js';

/** Flags of `huddle mcp`. */
export interface McpFlags extends Pick<ServingFlags, 'team' | 'trust' | 'nested' | 'debugFile'> {
  /** Prints how to add the server to this client. */
  readonly config?: McpClient;
  readonly folder?: string;
  readonly permission: 'read' | 'team';
  readonly continueSessions?: boolean;
  readonly maxAsks: number;
  readonly maxTurns: number;
  readonly maxUsd?: number;
  /** Seconds. */
  readonly wait?: number;
}
