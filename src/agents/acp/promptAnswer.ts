import type { SessionTotals, TurnUsage, UsageEvent } from '../../models/AgentEvent.js';
import type { Verdict } from '../Dialect.js';
import { fieldOf, isRecord, lookUp, numberOf, textOf } from '../records.js';
import { summarize } from '../summarize.js';
import { sinceTotals } from '../usage.js';

/** Why a model stopped that had not finished. */
const unfinished: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  max_tokens: {
    message: 'the answer reached the largest number of tokens the model may write',
    hint: 'Ask for less at a time, or for the rest.',
  },
  max_turn_requests: {
    message: 'the turn took more requests to the model than the agent allows',
    hint: 'Ask for less at a time, or send the message again to go on.',
  },
  refusal: { message: 'the model refused to answer', hint: 'Ask in another way, or ask another member.' },
  cancelled: { message: 'the agent cancelled the turn by itself', hint: 'Send the message again.' },
};

/** What the answer to `session/prompt` says about how the turn went. `undefined`: it does not say. */
export function readStopReason(answer: unknown): Verdict | undefined {
  const reason = textOf(answer, 'stopReason');
  if (reason === undefined) return undefined;
  if (reason === 'end_turn') return { ok: true };
  const { message, hint } = lookUp(unfinished, reason) ?? {
    message: `the agent ended the turn for a reason that is not known here: ${summarize(reason)}`,
    hint: 'Send the message again.',
  };
  return { ok: false, failure: { code: 'AGENT_ERROR', message, hint } };
}

/**
 * What the turn cost: from `usage` of the answer, where there is one, else from the count that some agents put into
 * `_meta`. `sessionUsd` counts over the whole session.
 */
export function readUsage(
  answer: unknown,
  sessionUsd: number | undefined,
  before: SessionTotals | undefined,
): UsageEvent | undefined {
  const tokens = readTokens(fieldOf(answer, 'usage')) ?? readTokens(quotaOf(answer));
  if (tokens === undefined && sessionUsd === undefined) return undefined;
  const usage: TurnUsage = tokens ?? { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  if (sessionUsd === undefined) return { type: 'usage', usage };
  return {
    type: 'usage',
    usage: { ...usage, usd: sinceTotals(sessionUsd, before?.usd) },
    sessionTotals: {
      inputTokens: usage.inputTokens + (before?.inputTokens ?? 0),
      cachedInputTokens: usage.cachedInputTokens + (before?.cachedInputTokens ?? 0),
      outputTokens: usage.outputTokens + (before?.outputTokens ?? 0),
      usd: sessionUsd,
    },
  };
}

function quotaOf(answer: unknown): unknown {
  return fieldOf(fieldOf(fieldOf(answer, '_meta'), 'quota'), 'token_count');
}

/** Input is counted without what came from or went into the cache; some count thoughts apart, so the sum decides. */
function readTokens(count: unknown): TurnUsage | undefined {
  if (!isRecord(count)) return undefined;
  const read = (...names: readonly string[]): number =>
    names.map((name) => numberOf(count, name)).find((number) => number !== undefined) ?? 0;
  const cachedInputTokens = read('cachedReadTokens', 'cachedInputTokens', 'cached_input_tokens');
  const written = read('cachedWriteTokens', 'cacheWriteInputTokens', 'cache_write_input_tokens');
  const inputTokens = read('inputTokens', 'input_tokens') + cachedInputTokens + written;
  const outputTokens = read('outputTokens', 'output_tokens');
  return {
    inputTokens,
    cachedInputTokens,
    outputTokens: Math.max(outputTokens, read('totalTokens', 'total_tokens') - inputTokens),
  };
}
