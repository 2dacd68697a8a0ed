/** Why a turn failed, as a word callers can branch on. */
export type TurnFailureCode =
  /** The program is not on PATH or not executable. */
  | 'AGENT_MISSING'
  /** The program could not be started (EMFILE, E2BIG, …). */
  | 'SPAWN'
  /** Not logged in, or the key was refused. */
  | 'AUTH'
  /** The vendor reported an error of the turn. */
  | 'AGENT_ERROR'
  /** The vendor's session to resume does not exist. */
  | 'SESSION_UNKNOWN'
  /** What must be sent does not fit into the byte budget. */
  | 'PROMPT_BUDGET'
  /** The program ended without saying that the turn is complete. */
  | 'NO_FINAL_EVENT'
  /** The answer was on a line longer than the limit. */
  | 'LINE_TOO_LONG';

export interface TurnFailure {
  readonly code: TurnFailureCode;
  /** What happened, for the person at the terminal: already sanitised, one line. */
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  /** The last lines of the program's stderr, sanitised and redacted. */
  readonly stderrTail?: string;
}

/** How a turn ended. Only `completed` is routed; `draft` is the text that had arrived until then. */
export type TurnOutcome =
  | { readonly kind: 'completed'; readonly text: string }
  | { readonly kind: 'failed'; readonly failure: TurnFailure; readonly draft: string }
  | { readonly kind: 'cancelled'; readonly draft: string }
  | {
      readonly kind: 'timed-out';
      readonly limit: TurnLimit;
      readonly milliseconds: number;
      readonly draft: string;
    }
  /** Huddle itself ended while the turn was running; found on the next start. */
  | { readonly kind: 'interrupted'; readonly draft: string };

/** `idle`: no output at all; `total`: the whole turn; `progress`: only retry notices. */
export type TurnLimit = 'idle' | 'total' | 'progress';
