import type { TerminalHandlers } from './TerminalView.js';

/** What is done at the keys before there is a session, kept for it. */
export class KeptKeys implements TerminalHandlers {
  readonly onInterrupt: () => void;
  #kept: Array<(handlers: TerminalHandlers) => void> = [];
  #sent: string[] = [];

  /** There is nothing to stop yet but the program itself, and that does not wait. */
  constructor(onInterrupt: () => void) {
    this.onInterrupt = onInterrupt;
  }

  /** What was sent and has reached nobody yet. */
  get sent(): readonly string[] {
    return this.#sent;
  }

  /** No question has been asked yet that could be answered. */
  onFirstKey(): void {}

  /** An empty line would go on with a conversation nobody has seen yet. */
  onSubmit(text: string): void {
    if (text === '') return;
    this.#sent.push(text);
    this.#kept.push((handlers) => handlers.onSubmit(text));
  }

  onStop(): void {}

  onLeave(): void {
    this.#kept.push((handlers) => handlers.onLeave());
  }

  onDisconnect(): void {
    this.#kept.push((handlers) => handlers.onDisconnect());
  }

  onSign(): void {
    this.#kept.push((handlers) => handlers.onSign());
  }

  /** Does all of it, in its order, once. */
  replay(handlers: TerminalHandlers): void {
    this.#sent = [];
    for (const act of this.#kept.splice(0)) act(handlers);
  }
}
