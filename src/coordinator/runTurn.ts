import type { AgentEvent, TurnUsage } from '../models/AgentEvent.js';
import type { ActivityEvent, TurnProgress } from '../models/ConversationEvent.js';
import type { TurnOutcome } from '../models/TurnOutcome.js';

/** What came out of one run of an agent. */
export interface FinishedTurn {
  readonly outcome: TurnOutcome;
  readonly usage?: TurnUsage;
  readonly sessionTotals?: TurnUsage;
  readonly sessionId?: string;
}

export interface TurnListener {
  /** Worth keeping. */
  onActivity(event: ActivityEvent): void;
  /** Only for those who watch. */
  onProgress(event: TurnProgress['event']): void;
}

/** Follows the events of one turn to its end. */
export async function runTurn(
  events: AsyncIterable<AgentEvent>,
  listener: TurnListener,
): Promise<FinishedTurn> {
  let usage: TurnUsage | undefined;
  let sessionTotals: TurnUsage | undefined;
  let sessionId: string | undefined;
  let outcome: TurnOutcome | undefined;
  for await (const event of events) {
    switch (event.type) {
      case 'end':
        outcome = event.outcome;
        break;
      case 'session':
        if (event.sessionId !== sessionId) listener.onActivity(event);
        sessionId = event.sessionId;
        break;
      case 'usage':
        usage = event.usage;
        sessionTotals = event.sessionTotals;
        listener.onProgress(event);
        break;
      case 'tool-start':
      case 'tool-end':
      case 'file-change':
      case 'todo-list':
      case 'permission-request':
      case 'retry':
      case 'error':
        listener.onActivity(event);
        break;
      case 'text':
      case 'text-delta':
      case 'text-reset':
      case 'thinking':
      case 'raw':
        listener.onProgress(event);
    }
  }
  if (outcome === undefined) throw new TypeError('An adapter ended without an `end` event');
  return {
    outcome,
    ...(usage && { usage }),
    ...(sessionTotals && { sessionTotals }),
    ...(sessionId && { sessionId }),
  };
}
