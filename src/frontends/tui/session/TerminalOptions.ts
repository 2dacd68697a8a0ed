import type { EditedText } from './TerminalView.js';

export interface TerminalOptions {
  /** Says what a turn was sent; `argument` is what was typed after `/why`. Without it there is no such command. */
  readonly why?: (argument: string) => string | Promise<string>;
  readonly isRehearsal?: boolean;
  /** Texts of earlier sessions. Without it the arrow keys know those of this one. */
  readonly history?: SavedHistory;
  /** Paths below the working folder, to be named after `@`. */
  readonly listFiles?: () => Promise<readonly string[]>;
  /** Has a text changed in the user's own editor, which gets the terminal for it. */
  readonly editText?: (text: string, signal: AbortSignal) => Promise<EditedText>;
  /** The conversation was held before and continues. */
  readonly resumed?: ResumedConversation;
  /** A message sent at once, to show how a conversation goes. If no person is there to continue, it ends by itself. */
  readonly demonstration?: string;
  /** A prompt that is on the screen already and makes room when the session starts. */
  readonly firstPrompt?: {
    /** From then on lines that are said elsewhere are printed by the session. */
    handOver(print: (line: string) => void): void;
  };
}

/** A history of typed texts that lasts beyond a session. */
export interface SavedHistory {
  /** Newest first. */
  load(): readonly string[];
  add(text: string): Promise<void>;
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
