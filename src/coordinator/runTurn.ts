import { setImmediate } from 'node:timers/promises';
import type {
  ActivityEvent,
  AgentEvent,
  DecidedEvent,
  EndEvent,
  ProgressEvent,
} from '../models/AgentEvent.js';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import { redactSecrets } from '../utils/redact.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { type CheckedUsage, checkUsage } from './checkUsage.js';

/** The result of one run of an agent. */
export interface FinishedTurn extends CheckedUsage {
  readonly outcome: TurnOutcome;
  readonly sessionId?: string;
  readonly sessionMark?: string;
  readonly holdsPrompt?: boolean;
}

/** An event of a turn, by what becomes of it. */
export type TurnStep =
  /** Recorded. */
  | { readonly kind: 'activity'; readonly event: ActivityEvent }
  /** Recorded: a decision that was made where the agent runs. */
  | { readonly kind: 'decision'; readonly event: DecidedEvent }
  /** Shown, not recorded. */
  | { readonly kind: 'progress'; readonly event: ProgressEvent }
  /** The outcome is known, while the agent may still be leaving. Comes exactly once. */
  | { readonly kind: 'end'; readonly finished: FinishedTurn; readonly event?: EndEvent };

/** The part of a turn's result that was recorded before its end. */
export type KnownResult = Pick<FinishedTurn, 'sessionId' | 'holdsPrompt'>;

/**
 * Follows one turn until nothing of the agent is left. What goes wrong with the agent is an outcome of the turn; leaving
 * the loop stops it.
 */
export async function* runTurn(
  start: () => AsyncIterable<AgentEvent>,
  known: KnownResult = {},
): AsyncGenerator<TurnStep, void, undefined> {
  let finished: Omit<FinishedTurn, 'outcome'> = known;
  let hasEnded = false;
  const end = (outcome: TurnOutcome, event?: EndEvent): TurnStep => {
    hasEnded = true;
    return { kind: 'end', finished: { outcome, ...finished }, ...(event && { event }) };
  };
  try {
    for await (const event of start()) {
      switch (event.type) {
        case 'end':
          if (!hasEnded) yield end(event.outcome, event);
          break;
        case 'session': {
          const { sessionId, mark: sessionMark = finished.sessionMark } = event;
          const { holdsPrompt = finished.holdsPrompt } = event;
          // A mark counts when the turn is over, and then it is said with its end.
          const isNews = sessionId !== finished.sessionId || holdsPrompt !== finished.holdsPrompt;
          finished = { ...finished, sessionId, sessionMark, holdsPrompt };
          if (isNews) yield { kind: 'activity', event };
          break;
        }
        case 'usage': {
          const { usage, sessionTotals, ...doubt } = checkUsage(event);
          const checked = usage && { usage, ...(sessionTotals && { sessionTotals }) };
          finished = { ...finished, ...checked, ...doubt };
          if (checked) yield { kind: 'progress', event: { type: 'usage', ...checked } };
          break;
        }
        case 'tool-start':
        case 'tool-end':
        case 'file-change':
        case 'todo-list':
        case 'permission-request':
        case 'retry':
        case 'error':
        case 'warning':
          yield { kind: 'activity', event };
          // It was written to disk, and many can come at once: keys and timers get their turn in between.
          await setImmediate();
          break;
        case 'permission-decided':
          yield { kind: 'decision', event };
          break;
        case 'text':
        case 'text-delta':
        case 'text-reset':
        case 'thinking':
        case 'tool-detail':
        case 'waiting':
        case 'raw':
          yield { kind: 'progress', event };
      }
    }
    if (!hasEnded) yield end(brokenTurn());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (hasEnded) yield { kind: 'activity', event: { type: 'error', message: reason } };
    else yield end(brokenTurn(reason));
  }
}

/** The outcome of a turn whose adapter threw, or ended without an end: only this turn has failed. */
function brokenTurn(reason?: string): TurnOutcome {
  const detail = reason === undefined ? {} : { detail: sanitizeToOneLine(redactSecrets(reason)) };
  const failure = { code: 'SPAWN', reason: 'adapter-broke', ...detail } as const;
  return { kind: 'failed', failure, draft: '' };
}
