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
