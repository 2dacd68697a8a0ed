import type { ServingFlags } from './openConversations.js';

/** Programs that `huddle mcp --config` knows how to add a server to. */
export const MCP_CLIENTS = ['claude', 'codex', 'gemini', 'cursor'] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];

/** Flags of a server if its command line names none. */
export const MCP_DEFAULTS = { permission: 'read', maxAsks: 20, maxTurns: 50 } as const;

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
