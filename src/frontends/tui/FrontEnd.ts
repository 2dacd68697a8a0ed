import type { Conversation } from '../../coordinator/Conversation.js';
import type { TerminalOptions } from './session/TerminalOptions.js';

/** A front end: shows a conversation in the terminal and lets people take part in it, until somebody leaves. */
export type FrontEnd = (
  conversation: Conversation,
  options?: TerminalOptions,
  signal?: AbortSignal,
) => Promise<TerminalExit>;

/** Why the terminal was left. The conversation is still open: it belongs to the caller. */
export type TerminalExit =
  | { readonly reason: 'quit' }
  /** The caller's signal. */
  | { readonly reason: 'aborted' }
  | { readonly reason: 'signal'; readonly signal: NodeJS.Signals }
  /** The terminal is gone. */
  | { readonly reason: 'disconnected' };

/** Nobody sees any more how the terminal is left. */
export function isHangUp(exit: TerminalExit): boolean {
  return exit.reason === 'disconnected' || (exit.reason === 'signal' && exit.signal === 'SIGHUP');
}
