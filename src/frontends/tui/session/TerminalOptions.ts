export interface TerminalOptions {
  /** Says what a turn was sent; `argument` is what was typed after `/why`. Without it there is no such command. */
  readonly why?: (argument: string) => string | Promise<string>;
  readonly isRehearsal?: boolean;
  /** The conversation was held before and goes on. */
  readonly resumed?: ResumedConversation;
  /** Said at once, to show how a conversation goes. Where nobody is there to talk on, it ends by itself. */
  readonly demonstration?: string;
  /** Default: as the environment asks (`NO_COLOR`, `FORCE_COLOR`). */
  readonly hasColour?: boolean;
  readonly clock?: () => number;
  /** A prompt that is on the screen already and makes room when the session starts. */
  readonly firstPrompt?: {
    /** From then on lines that are said elsewhere are printed by the session. */
    handOver(print: (line: string) => void): void;
  };
}

/** What people are told of a conversation that was held before. */
export interface ResumedConversation {
  /** All there are; a handle holds only the newest. */
  readonly messageCount: number;
  /** Where it stands, in sentences. */
  readonly standing: readonly string[];
  /** Turns did not complete and can be asked for again. */
  readonly canRetry: boolean;
}
