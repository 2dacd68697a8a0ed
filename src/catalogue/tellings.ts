import type { RetryEvent, TurnWarning } from '../models/AgentEvent.js';
import type {
  ConversationForked,
  Notice,
  PauseReason,
  PermissionDecided,
} from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import type { FailureFacts, TurnFailure, UnfinishedOutcome } from '../models/TurnOutcome.js';
import { formatNumber } from '../utils/formatNumber.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { formatDuration } from './formats.js';
import { words as spoken, type WordsOf } from './words.js';

/** `Paused: 20 agent turns in a row without a person.`, with what was reached where that is more. */
export function describePause(reason: PauseReason, words: WordsOf<'telling' | 'limits'> = spoken): string {
  if (reason.kind !== 'limit') return words.telling.pauses[reason.kind];
  const { limit, count, max } = reason;
  const [reached, allowed] = [count, max].map((figure) => formatNumber(figure, 4));
  return words.telling.pausedAt(words.limits[limit](max), reached === allowed ? '' : (reached ?? ''));
}

/** `Forked from 20261115-0336-8aad after msg-5.` */
export function describeOrigin(
  { from, messageId }: ConversationForked,
  words: WordsOf<'telling'> = spoken,
): string {
  return sanitizeToOneLine(words.telling.forkedFrom(from, messageId));
}

/** `retrying: overloaded (attempt 2 of 10, in 5 s)`, or the same as a sentence about a member. */
export function describeRetry(
  { waitMilliseconds, ...retry }: RetryEvent,
  name?: string,
  words: WordsOf<'telling'> = spoken,
): string {
  const { retrying, memberRetrying } = words.telling;
  const wait = waitMilliseconds === undefined ? undefined : formatDuration(waitMilliseconds, {}, words);
  return name === undefined ? retrying({ ...retry, wait }) : memberRetrying(name, { ...retry, wait });
}

/** The sentence of a notice. */
export function describeNotice(
  notice: Notice,
  nameOf: (memberId: MemberId) => string,
  words: WordsOf<'notices'> = spoken,
): string {
  // The compiler does not see that the code of a notice chooses the sentence that takes it.
  const sentence = words.notices[notice.code] as (notice: Notice, names: typeof nameOf) => string;
  return sentence(notice, nameOf);
}

/** The sentence of a warning about a member's turn. */
export function describeWarning(warning: TurnWarning, words: WordsOf<'warnings'> = spoken): string {
  const sentence = words.warnings[warning.code] as (warning: TurnWarning) => string;
  return sentence(warning);
}

/** A failure in sentences: what happened, without a period, and what to do, if there is anything to do. */
export interface ExplainedFailure {
  readonly what: string;
  readonly hint: string;
}

/** Sentences of a failure without a member's name. */
export function explainFailure(facts: FailureFacts, words: WordsOf<'failures'> = spoken): ExplainedFailure {
  // The compiler does not see that the reason of a failure chooses the sentences that take it.
  const explain = words.failures[facts.reason] as (facts: FailureFacts) => readonly [string, string];
  const [what, hint] = explain(facts);
  return { what: what.replace(/[.。]$/u, ''), hint };
}

/** The failure of a member's turn: `max (claude): …`. */
export function describeFailure(
  name: string,
  failure: TurnFailure,
  words: WordsOf<'telling' | 'failures'> = spoken,
): ExplainedFailure {
  const { what, hint } = explainFailure(failure, words);
  const { command, isResent } = failure;
  return { what: words.telling.failed(name, command, what), hint: isResent ? '' : hint };
}

/** The last lines of an agent's stderr that its failure does not quote already. */
export function unquotedStderr(failure: TurnFailure): readonly string[] {
  const quoted = 'detail' in failure ? (failure.detail ?? '') : '';
  const lines = (failure.stderrTail ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.every((line) => quoted.includes(sanitizeToOneLine(line))) ? [] : lines;
}

/** The reason why a turn did not become a message, and what to do; `code` for programs. */
export interface TurnTrouble extends ExplainedFailure {
  readonly code: string;
}

export function describeTrouble(
  name: string,
  result: UnfinishedOutcome,
  words: WordsOf<'telling' | 'failures'> = spoken,
): TurnTrouble {
  switch (result.kind) {
    case 'failed':
      return { code: result.failure.code, ...describeFailure(name, result.failure, words) };
    case 'timed-out': {
      const { limit, milliseconds } = result;
      const what = words.telling.timeLimits[limit](name, formatDuration(milliseconds, {}, words));
      return { code: 'TURN_TIMEOUT', what, hint: words.telling.timeLimitHints[limit] };
    }
    case 'cancelled':
      return { code: 'TURN_CANCELLED', what: words.telling.stopped(name), hint: words.telling.sendAgain };
    case 'interrupted':
      return { code: 'TURN_INTERRUPTED', what: words.telling.interrupted(name, result.worker), hint: '' };
  }
}

interface Decision extends Pick<PermissionDecided, 'decision' | 'by' | 'allowEntry'> {
  /** The name of the person who decided. */
  readonly person?: string;
}

/** Describes how a permission request was decided, and by whom: `denied by kim`. */
export function describeDecision(
  { decision, by, person = '', allowEntry }: Decision,
  words: WordsOf<'decisions'> = spoken,
): string {
  if (decision === 'cancelled') return words.decisions.cancelled;
  const verdicts = words.decisions[decision];
  const verdict = by.kind === 'person' ? verdicts.person(person) : verdicts[by.kind];
  return allowEntry === undefined ? verdict : words.decisions.toAllow(verdict, JSON.stringify(allowEntry));
}
