import { closeSync, openSync } from 'node:fs';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { TerminalOptions } from './session/TerminalOptions.js';

/** A front end: shows a conversation in the terminal and lets people take part in it, until they exit. */
export type FrontEnd = (
  conversation: Conversation,
  options: TerminalOptions,
  signal?: AbortSignal,
) => Promise<TerminalExit>;

/** The reason why the session ended. The conversation is still open: it belongs to the caller. */
export type TerminalExit =
  | { readonly reason: 'quit' }
  /** A new session is wanted, or another that was saved; the caller opens it. */
  | { readonly reason: 'new' }
  | {
      readonly reason: 'resume';
      /** Absent: the user is to pick one. */
      readonly id?: string;
    }
  /** The caller's signal. */
  | { readonly reason: 'aborted' }
  | { readonly reason: 'signal'; readonly signal: NodeJS.Signals }
  /** The terminal is gone. */
  | { readonly reason: 'disconnected' };

/** Whether the terminal is gone, so that no one sees what is printed now. */
export function isHangUp(exit: TerminalExit): boolean {
  return exit.reason === 'disconnected' || (exit.reason === 'signal' && exit.signal === 'SIGHUP');
}

/**
 * For a terminal that is gone. When Node ends it puts the modes of its terminal back, and aborts where that fails; with
 * nothing in the place of the terminal it ends like any other program.
 */
export function releaseTerminal(): void {
  [process.stdin, process.stdout, process.stderr].forEach((stream, descriptor) => {
    if (!stream.isTTY) return;
    closeSync(descriptor);
    // Takes the lowest number that is free, which is the one just closed.
    openSync('/dev/null', 'r+');
  });
}
