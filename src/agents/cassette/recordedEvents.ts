import type { AgentEvent, TurnUsage } from '../../models/AgentEvent.js';
import type { PermissionDecided, TurnActivity, TurnEnd } from '../../models/ConversationEvent.js';
import type { TurnOutcome } from '../../models/TurnOutcome.js';
import type { PermissionQuestion } from '../AgentAdapter.js';
import { findGuardsByName } from '../acp/guardedFiles.js';
import { isUnderstood } from '../acp/toolArguments.js';

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
    usage: { ...tokens, ...(price === 'reported' && usd !== undefined && { usd }) },
    ...(sessionTotals && { sessionTotals }),
  };
}

function outcomeOfTurn({ result, exitCode }: TurnEnd, text: string): TurnOutcome {
  if (result.kind === 'completed')
    return { kind: 'completed', text, ...(exitCode !== undefined && { exitCode }) };
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
