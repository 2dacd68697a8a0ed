import type { RetryEvent } from '../models/AgentEvent.js';
import type { PauseReason, PermissionDecided } from '../models/ConversationEvent.js';
import type { UnfinishedOutcome } from '../models/TurnOutcome.js';
import { formatNumber } from '../utils/formatNumber.js';
import { english } from './english.js';
import { describeFailure, type ExplainedFailure } from './failures.js';
import { formatDuration } from './formats.js';

const words = english.telling;

/** `Paused: 20 agent turns in a row without a person.`, with what was reached where that is more. */
export function describePause(reason: PauseReason): string {
  if (reason.kind !== 'limit') return words.pauses[reason.kind];
  const { limit, count, max } = reason;
  const [reached, allowed] = [count, max].map((figure) => formatNumber(figure, 4));
  return words.pausedAt(english.limits[limit](max), reached === allowed ? '' : (reached ?? ''));
}

/** `retrying: overloaded (attempt 2 of 10, in 5 s)`. */
export function describeRetry({ message, attempt, maxAttempts, waitMilliseconds }: RetryEvent): string {
  return words.retrying(message, [
    ...(attempt === undefined ? [] : [words.attempt(attempt, maxAttempts)]),
    ...(waitMilliseconds === undefined ? [] : [words.inTime(formatDuration(waitMilliseconds))]),
  ]);
}

/** Explains why a turn did not become a message: the reason, without a period, what to do, and a `code` for programs. */
export interface TurnTrouble extends ExplainedFailure {
  readonly code: string;
}

export function describeTrouble(name: string, result: UnfinishedOutcome): TurnTrouble {
  switch (result.kind) {
    case 'failed':
      return { code: result.failure.code, ...describeFailure(name, result.failure) };
    case 'timed-out': {
      const { limit, milliseconds } = result;
      const what = words.timeLimits[limit](name, formatDuration(milliseconds));
      return { code: 'TURN_TIMEOUT', what, hint: words.timeLimitHints[limit] };
    }
    case 'cancelled':
      return { code: 'TURN_CANCELLED', what: words.stopped(name), hint: words.sendAgain };
    case 'interrupted':
      return { code: 'TURN_INTERRUPTED', what: words.interrupted(name), hint: '' };
  }
}

interface Decision extends Pick<PermissionDecided, 'decision' | 'by'> {
  /** The name of the person who decided. */
  readonly person?: string;
}

/** Describes the decision on a permission request: `denied by kim`. */
export function describeDecision({ decision, by, person = '' }: Decision): string {
  const { words: verdicts, makers } = english.decisions;
  if (decision === 'cancelled') return verdicts.cancelled;
  return `${verdicts[decision]}${by.kind === 'person' ? makers.person(person) : makers[by.kind]}`;
}
