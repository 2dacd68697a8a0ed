import type { UNFINISHED } from './schema/agentEvents.js';
import type { FAILED_RUN, FAILURE_REASONS, LOGIN, REFUSAL } from './schema/failures.js';
import type { Fields, Variant } from './schema/fields.js';

/** Reason why a turn failed, as a word and facts; `catalogue/failures.ts` makes sentences of it to show. */
export type FailureFacts = Variant<'reason', typeof FAILURE_REASONS>;

/** A failure with what was run. Callers branch on `code`; `reason` is finer. */
export type TurnFailure = Variant<'reason', typeof FAILURE_REASONS, FailureReason, typeof FAILED_RUN>;

/**
 * AGENT_MISSING: the program is not there or not executable. SPAWN: it could not be started. AUTH: not logged in, or the
 * key was refused. AGENT_ERROR: the vendor reported an error of the turn. SESSION_UNKNOWN: the vendor's session to resume
 * does not exist. PROMPT_BUDGET: what must be sent does not fit into the byte budget. NO_FINAL_EVENT: the program ended
 * without saying that the turn is complete. LINE_TOO_LONG: the answer was on a line longer than the limit. NO_WORKER: no
 * worker of the member's role took the turn. WORKER_REFUSED: one did, and does not run it.
 */
export type TurnFailureCode = FailureFacts['code'];

export type FailureReason = keyof typeof FAILURE_REASONS;

/** Reason why a worker does not run a turn, with its facts. */
export interface Refusal extends Fields<typeof REFUSAL> {}

/** Instructions to log in to an agent. */
export interface Login extends Fields<typeof LOGIN> {}

/** Outcome of a turn that did not complete; `draft` is the text that had arrived until then. */
export type UnfinishedOutcome = Variant<'kind', typeof UNFINISHED>;

/** Outcome of a turn. Only `completed` is routed. */
export type TurnOutcome =
  /** `exitCode`: of a command whose answer is all that it prints. */
  { readonly kind: 'completed'; readonly text: string; readonly exitCode?: number } | UnfinishedOutcome;

/** `idle`: no output at all; `total`: the whole turn; `progress`: only retry notices. */
export type TurnLimit = Extract<UnfinishedOutcome, { kind: 'timed-out' }>['limit'];
