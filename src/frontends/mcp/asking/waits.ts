/** Seconds that no call waits longer than. */
export const MOST_WAIT_SECONDS = 1500;

/** Seconds that clients wait for a tool at least, as they are configured by `huddle mcp --config`, less some for the way. */
const CLIENT_WAITS: ReadonlyArray<readonly [name: string, seconds: number]> = [
  ['claude-code', 600],
  ['codex-mcp-client', 240],
  ['gemini-cli-mcp-client', 240],
];

/** The shortest time that any client is known to wait is a minute. */
const UNKNOWN_CLIENT_WAIT = 50;

/** Seconds that a call waits: what it asks for, else what the command line says, else what suits the client. */
export function chooseWait(
  client: string,
  { asked, configured }: { readonly asked: number | undefined; readonly configured: number | undefined },
): number {
  const [, suited] = CLIENT_WAITS.find(([name]) => client.startsWith(name)) ?? ['', UNKNOWN_CLIENT_WAIT];
  return Math.min(asked ?? configured ?? suited, MOST_WAIT_SECONDS);
}
