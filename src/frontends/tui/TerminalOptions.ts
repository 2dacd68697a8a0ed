import type { TerminalActions } from './actions.js';

export interface TerminalOptions {
  readonly actions?: TerminalActions;
  /** Said at the top, such as that this is a rehearsal. */
  readonly notes?: readonly string[];
  /** Default: as the environment asks (`NO_COLOR`, `FORCE_COLOR`). */
  readonly hasColour?: boolean;
  readonly clock?: () => number;
}

/** Why the terminal was left. The conversation is still open: it belongs to the caller. */
export type TerminalExit =
  | { readonly reason: 'quit' }
  /** The caller's signal. */
  | { readonly reason: 'aborted' }
  | { readonly reason: 'signal'; readonly signal: NodeJS.Signals }
  /** The terminal is gone. */
  | { readonly reason: 'disconnected' };
