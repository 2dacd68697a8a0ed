import type { AgentEvent, TurnUsage } from '../../models/AgentEvent.js';
import type { PermissionDecided, TurnActivity, TurnEnd } from '../../models/ConversationEvent.js';
import type { TurnOutcome } from '../../models/TurnOutcome.js';
import type { PermissionQuestion, TurnRequest } from '../AgentAdapter.js';
import { isUnderstood } from '../live/AskedCall.js';
import { EventQueue } from '../live/EventQueue.js';
import { findGuardsByName } from '../live/WorkingFolder.js';

/** A turn whose agent says what it is told to say. */
export class PlayedTurn {
  readonly #events = new EventQueue<AgentEvent>();
  /** Withdraw the questions that were asked. */
  readonly #questions = new Map<string, AbortController>();
  /** Everything the agent was asked with; undefined: its turn has not begun. */
  request: TurnRequest | undefined;

  /** The events of the turn, until the agent leaves: no program is started, and being stopped changes none of its words. */
  run(request: TurnRequest): AsyncIterable<AgentEvent> {
    this.request = request;
    return this.#events;
  }

  say(...events: readonly AgentEvent[]): void {
    for (const event of events) this.#events.push(event);
  }

  /** Asks for permission. The answer changes nothing: what the agent did then is known. */
  ask(question: Omit<PermissionQuestion, 'signal'>): void {
    const withdrawal = new AbortController();
    this.#questions.set(question.requestId, withdrawal);
    void this.request?.askPermission?.({ ...question, signal: withdrawal.signal });
  }

  withdraw(requestId: string): void {
    this.#questions.get(requestId)?.abort();
  }

  /** Nothing more comes of it. */
  leave(): void {
    this.#events.close();
  }
}

/** The end of a turn, and what the log knows of it besides. */
export interface RecordedEnd {
  readonly end: TurnEnd;
  /** The message that its answer became; empty for an empty reply. */
  readonly text: string;
  /** Some of the usage that the agent reported could not be true. */
  readonly isDoubtful: boolean;
}

/** Usage that no agent can have: it is noted and does not count. */
const IMPOSSIBLE: TurnUsage = { inputTokens: -1, cachedInputTokens: 0, outputTokens: 0 };

/** Events from which the same end of a turn is recorded again. */
export function eventsOfEnd({ end, text, isDoubtful }: RecordedEnd): AgentEvent[] {
  const { sessionId, sessionMark, usage } = end;
  return [
    ...(sessionId !== undefined && sessionMark !== undefined
      ? [{ type: 'session', sessionId, mark: sessionMark } as const]
      : []),
    ...(isDoubtful ? [{ type: 'usage', usage: IMPOSSIBLE } as const] : []),
    ...(usage === undefined ? [] : [reportUsage(usage)]),
    { type: 'end', outcome: outcomeOfTurn(end, text) },
  ];
}

/** As the agent reported it: money that Huddle itself worked out is worked out anew. */
function reportUsage({ price, sessionTotals, usd, ...tokens }: NonNullable<TurnEnd['usage']>): AgentEvent {
  return {
    type: 'usage',
    usage: { ...tokens, usd: price === 'reported' ? usd : undefined },
    sessionTotals,
  };
}

function outcomeOfTurn({ result, exitCode }: TurnEnd, text: string): TurnOutcome {
  if (result.kind === 'completed') return { kind: 'completed', text, exitCode };
  if (result.kind !== 'failed') return result;
  const { isResent: _, ...failure } = result.failure;
  return { ...result, failure };
}

type PermissionRequest = Extract<TurnActivity['event'], { type: 'permission-request' }>;

/** The question of a recorded request; undefined: the recording is too old to say what was asked. */
export function questionOfRequest(
  { type: _, isOpen, kind, title = '', paths, isInFolder, ...rest }: PermissionRequest,
  decided: PermissionDecided | undefined,
): Omit<PermissionQuestion, 'signal'> | undefined {
  if (kind === undefined || paths === undefined || isInFolder === undefined) return undefined;
  return {
    ...rest,
    kind,
    title,
    paths,
    isInFolder,
    guards: findGuardsByName(paths),
    extent: decided?.by.kind === 'size' ? 'too-long-to-judge' : 'whole',
    isUnderstood: isUnderstood({ kind, paths, command: rest.command }, parseArguments(rest.arguments)),
    isAsked: true,
  };
}

/** The other arguments of a request. What is no JSON is none that anyone knows: a log may come from anywhere. */
function parseArguments(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return json;
  }
}
