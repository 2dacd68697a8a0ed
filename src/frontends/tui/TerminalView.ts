import type { Block } from './Block.js';

/** What a person does at the terminal. */
export interface TerminalHandlers {
  /** Enter; the text may be empty. */
  onSubmit(text: string): void;
  /** Esc. */
  onStop(): void;
  /** Ctrl-C. */
  onInterrupt(): void;
  /** Ctrl-D on an empty line. */
  onLeave(): void;
}

/** All that the front end needs of a terminal. */
export interface TerminalView {
  start(): void;
  /** Adds to the transcript. What is printed stays as it is. */
  print(blocks: readonly Block[]): void;
  /** The live part has changed. */
  refresh(): void;
  input: string;
  /** Offers a text again with the arrow keys. */
  remember(text: string): void;
  /** Gives the terminal back, and what was typed meanwhile to nobody. */
  close(): Promise<void>;
  /** Gives the terminal back at once: for a crash. */
  restore(): void;
}
