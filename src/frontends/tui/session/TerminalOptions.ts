export interface TerminalOptions {
  /** Says what a turn was sent; `argument` is what was typed after `/why`. Without it there is no such command. */
  readonly why?: (argument: string) => string | Promise<string>;
  readonly isRehearsal?: boolean;
  /** The conversation was held before and continues. */
  readonly resumed?: ResumedConversation;
  /** A message that is sent at once, before anything is typed. */
  readonly opening?: string;
  /** A message sent at once, to show how a conversation goes. If no person is there to continue, it ends by itself. */
  readonly demonstration?: string;
  /** A prompt that is on the screen already and makes room when the session starts. */
  readonly firstPrompt?: {
    /** From then on lines that are said elsewhere are printed by the session. */
    handOver(print: (line: string) => void): void;
  };
}

/** Facts that people are told of a conversation that was held before. */
export interface ResumedConversation {
  /** All there are; a handle holds only the newest. */
  readonly messageCount: number;
  /** Its status, in sentences. */
  readonly status: readonly string[];
  /** Turns did not complete and can be asked for again. */
  readonly canRetry: boolean;
}
