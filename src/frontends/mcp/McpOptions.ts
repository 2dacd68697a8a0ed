import type { Catalogue } from '../../catalogue/words.js';
import type { Conversations, TeamChanges } from '../../coordinator/Conversations.js';

/** Settings of an MCP server, the same for every client and every call. */
export interface McpOptions {
  /** Called when a conversation is first needed, which is after the first answer; again if it rejected. */
  readonly openConversations: () => Promise<Conversations>;
  /** The folder whose team is asked. */
  readonly folder: string;
  /** `read`: whatever is asked, members may only read. */
  readonly permission: NonNullable<TeamChanges['permission']>;
  /** Sessions that a person began may be continued. Default: only those that were begun through MCP. */
  readonly continuesSessions?: boolean | undefined;
  readonly limits: ServerLimits;
  /** Seconds that a call waits for an answer. Default: as long as the client does. */
  readonly waitSeconds?: number | undefined;
  readonly version: string;
  /** The language of everything that a client is told. */
  readonly words: Catalogue;
  /** The code of an error and its sentence for people. */
  readonly describe: (error: unknown) => DescribedError;
  /** Writes a line for people, apart from the protocol. */
  readonly log: (line: string) => void;
}

/** Limits of all asks of one server process together. */
export interface ServerLimits {
  readonly maxAsks: number;
  readonly maxTurns: number;
  /** Default: the limit of the team, else 5. */
  readonly maxUsd?: number | undefined;
}

export interface DescribedError {
  readonly code: string;
  readonly message: string;
}

/** A call of a tool, as far as it is not its arguments. */
export interface McpCall {
  /** The name by which the client introduced itself. */
  readonly client: string;
  /** Aborted when the client does not want the answer any more, or is gone. */
  readonly signal: AbortSignal;
  /** Tells the client how far it is. Absent: it did not ask for that. */
  readonly report?: ((message: string) => void) | undefined;
}

/** Answer of a tool: a text, and maybe the same as data. */
export interface Reply {
  readonly text: string;
  readonly structure?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  /** The session it is about, for a link to the whole of it. */
  readonly session?: string;
}

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
