/** Programs that `huddle mcp --config` knows how to add a server to. */
export const MCP_CLIENTS = ['claude', 'codex', 'gemini', 'cursor'] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];

/** Flags of a server if its command line names none. */
export const MCP_DEFAULTS = { permission: 'read', maxAsks: 20, maxTurns: 50 } as const;
