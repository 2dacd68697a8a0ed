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
