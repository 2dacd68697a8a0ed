import type { SessionTotals, TurnUsage, UsageEvent } from '../../models/AgentEvent.js';
import { NO_TOKENS } from '../../models/usageFigures.js';
import type { Verdict } from '../dialect/Dialect.js';
import { addToTotals, sinceTotals, tokensOf } from '../dialect/failures.js';
import { fieldOf, isRecord, summarizeValue, textOf } from '../dialect/records.js';

/** Reads from the answer to `session/prompt` how the turn went. `undefined`: it does not say. */
export function readStopReason(answer: unknown): Verdict | undefined {
  const reason = textOf(answer, 'stopReason');
  if (reason === undefined) return undefined;
  if (reason === 'end_turn') return { ok: true };
  const stopReason = summarizeValue(reason);
  return { ok: false, failure: { code: 'AGENT_ERROR', reason: 'stopped-early', stopReason } };
}

/** The usage that an agent reported in the updates of a turn. */
export interface ReportedUpdates {
  /** The requests to the model that were told of one by one, together. */
  readonly tokens: TurnUsage | undefined;
  /** Cost of the whole session. */
  readonly sessionUsd: number | undefined;
}

/**
 * The cost of the turn: from `usage` of the answer, if there is one, else from the count that some agents put into
 * `_meta`, else from the updates.
 */
export function readUsage(
  answer: unknown,
  { tokens: told, sessionUsd }: ReportedUpdates,
  before: SessionTotals | undefined,
): UsageEvent | undefined {
  const quota = fieldOf(fieldOf(answer, '_meta'), 'quota');
  const tokens = readTokens(fieldOf(answer, 'usage')) ?? readTokens(fieldOf(quota, 'token_count')) ?? told;
  if (tokens === undefined && sessionUsd === undefined) return undefined;
  const usage = tokens ?? NO_TOKENS;
  if (sessionUsd === undefined) return { type: 'usage', usage };
  return {
    type: 'usage',
    usage: { ...usage, usd: sinceTotals(sessionUsd, before?.usd) },
    sessionTotals: addToTotals(before, usage, sessionUsd),
  };
}

/** Some count thoughts apart from what the model wrote, so the sum decides. */
export function readTokens(count: unknown): TurnUsage | undefined {
  if (!isRecord(count)) return undefined;
  const read = (...names: readonly string[]): number =>
    tokensOf(count, names.find((name) => Object.hasOwn(count, name)) ?? '');
  const cachedInputTokens = read('cachedReadTokens', 'cachedInputTokens', 'cached_input_tokens');
  const written = read('cachedWriteTokens', 'cacheWriteInputTokens', 'cache_write_input_tokens');
  const total = read('totalTokens', 'total_tokens');
  const outputTokens = read('outputTokens', 'output_tokens');
  const fresh = read('inputTokens', 'input_tokens');
  // Most count what came from or went into the cache apart; where the sum has no room for it, it is in the input already.
  const isApart = total === 0 || fresh + cachedInputTokens + written + outputTokens <= total;
  const inputTokens = isApart ? fresh + cachedInputTokens + written : fresh;
  return { inputTokens, cachedInputTokens, outputTokens: Math.max(outputTokens, total - inputTokens) };
}
