import { setImmediate } from 'node:timers/promises';
import type { ActivityEvent, AgentEvent, ProgressEvent } from '../models/AgentEvent.js';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import { redactSecrets } from '../utils/redact.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { type CheckedUsage, checkUsage } from './checkUsage.js';

/** What came out of one run of an agent. */
export interface FinishedTurn extends CheckedUsage {
  readonly outcome: TurnOutcome;
  readonly sessionId?: string;
  readonly sessionMark?: string;
  readonly holdsPrompt?: boolean;
}

export interface TurnListener {
  /** Resolves when more can be taken; undefined: now. */
  room(): Promise<void> | undefined;
  /** Worth keeping. */
  onActivity(event: ActivityEvent): void;
  /** Only for those who watch. */
  onProgress(event: ProgressEvent): void;
  /** The outcome is known, while the agent may still be leaving. Comes exactly once. */
  onEnd(finished: FinishedTurn): Promise<void>;
}

/**
 * Follows one turn until nothing of the agent is left. What goes wrong with the agent is an outcome of the turn; only
 * what the listener throws comes out, and then the agent has been stopped.
 */
export async function runTurn(start: () => AsyncIterable<AgentEvent>, listener: TurnListener): Promise<void> {
  let spent: CheckedUsage = {};
  let session: Pick<FinishedTurn, 'sessionId' | 'sessionMark' | 'holdsPrompt'> = {};
  let hasEnded = false;
  for await (const event of settleFailures(start)) {
    const room = listener.room();
    if (room !== undefined) await room;
    switch (event.type) {
      case 'end':
        if (hasEnded) break;
        hasEnded = true;
        await listener.onEnd({ outcome: event.outcome, ...spent, ...session });
        break;
      case 'session': {
        const { sessionId, mark = session.sessionMark, holdsPrompt = session.holdsPrompt } = event;
        // A mark counts when the turn is over, and then it is said with its end.
        const isNews = sessionId !== session.sessionId || holdsPrompt !== session.holdsPrompt;
        if (isNews) listener.onActivity(event);
        session = {
          sessionId,
          ...(mark !== undefined && { sessionMark: mark }),
          ...(holdsPrompt !== undefined && { holdsPrompt }),
        };
        break;
      }
      case 'usage': {
        const { usage, sessionTotals, ...doubt } = checkUsage(event);
        const checked = usage && { usage, ...(sessionTotals && { sessionTotals }) };
        spent = { ...spent, ...checked, ...doubt };
        if (checked) listener.onProgress({ type: 'usage', ...checked });
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
        listener.onActivity(event);
        // It is written to disk, and many can come at once: keys and timers get their turn in between.
        await setImmediate();
        break;
      case 'text':
      case 'text-delta':
      case 'text-reset':
      case 'thinking':
      case 'raw':
        listener.onProgress(event);
    }
  }
}

/** The same events, but an adapter that throws or says no end has failed this one turn and nothing else. */
async function* settleFailures(start: () => AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
  let hasEnded = false;
  try {
    for await (const event of start()) {
      hasEnded ||= event.type === 'end';
      yield event;
    }
    if (!hasEnded) yield failedTurn();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    yield hasEnded ? { type: 'error', message: reason } : failedTurn(reason);
  }
}

function failedTurn(reason?: string): AgentEvent {
  const detail = reason === undefined ? {} : { detail: sanitizeToOneLine(redactSecrets(reason)) };
  const failure = { code: 'SPAWN', reason: 'adapter-broke', ...detail } as const;
  return { type: 'end', outcome: { kind: 'failed', failure, draft: '' } };
}
