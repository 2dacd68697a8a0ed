import type { FailureFacts, TurnFailure } from '../models/TurnOutcome.js';
import { english } from './english.js';

/** A failure in sentences: what happened, without a period, and what to do; empty if there is nothing to do. */
export interface ExplainedFailure {
  readonly what: string;
  readonly hint: string;
}

/** Sentences of a failure without a member's name. */
export function explainFailure(facts: FailureFacts): ExplainedFailure {
  // The compiler does not see that the reason of a failure chooses the sentences that take it.
  const explain = english.failures[facts.reason] as (facts: FailureFacts) => readonly [string, string];
  const [what, hint] = explain(facts);
  return { what: what.replace(/\.$/u, ''), hint };
}

/** The failure of a member's turn: `max (claude): …`. */
export function describeFailure(name: string, failure: TurnFailure): ExplainedFailure {
  const { what, hint } = explainFailure(failure);
  const { command, isResent } = failure;
  const run = command === undefined ? '' : ` (${command})`;
  return { what: `${name}${run}: ${what}`, hint: isResent ? '' : hint };
}
