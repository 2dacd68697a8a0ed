import type { SessionTotals, TurnUsage, UsageEvent } from '../../models/AgentEvent.js';
import { fieldOf, type UnknownRecord, valuesOf } from '../dialect/records.js';
import { addToTotals, amountOf, sinceTotals, tokensOf } from '../dialect/usage.js';

/** What a run used, in the four kinds of tokens that are priced apart. */
type TokenCounts = Readonly<Record<'input' | 'cached' | 'written' | 'output', number>>;

/** Adds up what the model reports while it answers: all that is known of a run that is cut off. */
export class StreamedUsage {
  #sum: TokenCounts | undefined;
  /** Of the message that is being written; each report replaces the one before. */
  #current: TokenCounts | undefined;

  /** Takes a raw event of the API. */
  add(event: unknown): void {
    const started = fieldOf(fieldOf(event, 'message'), 'usage');
    if (started !== undefined) {
      this.#sum = this.tokens;
      this.#current = countsIn(started, API_NAMES);
    }
    const written = fieldOf(event, 'usage');
    if (written !== undefined && this.#current !== undefined)
      this.#current = { ...this.#current, output: tokensOf(written, API_NAMES.output) };
  }

  get tokens(): TokenCounts | undefined {
    if (this.#sum === undefined || this.#current === undefined) return this.#sum ?? this.#current;
    return addCounts(this.#sum, this.#current);
  }
}

/** `usage` is of this run; `total_cost_usd` is of the whole session, so the cost is taken apart. */
export function readClaudeUsage(
  result: UnknownRecord,
  before: SessionTotals | undefined,
  streamed: StreamedUsage,
): UsageEvent {
  const usage = usageOf(findCounts(result, streamed));
  const totalUsd = amountOf(result, 'total_cost_usd');
  if (totalUsd === undefined) return { type: 'usage', usage };
  return {
    type: 'usage',
    usage: { ...usage, usd: costOfThisTurn(result) ?? sinceTotals(totalUsd, before?.usd) },
    sessionTotals: addToTotals(before, usage, totalUsd),
  };
}

/** What is known of a run that ended without its last record. */
export function readCutUsage({ tokens }: StreamedUsage): UsageEvent[] {
  return tokens === undefined ? [] : [{ type: 'usage', usage: usageOf(tokens) }];
}

/** The usage of a run that was interrupted is all zeros; what it took is then in the count by model, or was streamed. */
function findCounts(result: UnknownRecord, { tokens }: StreamedUsage): TokenCounts {
  const own = countsIn(fieldOf(result, 'usage'), API_NAMES);
  if (Object.values(own).some((count) => count !== 0)) return own;
  const models = valuesOf(fieldOf(result, 'model_usage_since_last_result'));
  if (models.length > 0) return models.map((model) => countsIn(model, MODEL_NAMES)).reduce(addCounts);
  return tokens ?? own;
}

const API_NAMES: Readonly<Record<keyof TokenCounts, string>> = {
  input: 'input_tokens',
  cached: 'cache_read_input_tokens',
  written: 'cache_creation_input_tokens',
  output: 'output_tokens',
};

const MODEL_NAMES: typeof API_NAMES = {
  input: 'inputTokens',
  cached: 'cacheReadInputTokens',
  written: 'cacheCreationInputTokens',
  output: 'outputTokens',
};

function countsIn(report: unknown, names: typeof API_NAMES): TokenCounts {
  return {
    input: tokensOf(report, names.input),
    cached: tokensOf(report, names.cached),
    written: tokensOf(report, names.written),
    output: tokensOf(report, names.output),
  };
}

function addCounts(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    input: one.input + other.input,
    cached: one.cached + other.cached,
    written: one.written + other.written,
    output: one.output + other.output,
  };
}

function usageOf({ input, cached, written, output }: TokenCounts): TurnUsage {
  return { inputTokens: input + written + cached, cachedInputTokens: cached, outputTokens: output };
}

/** Newer versions say it themselves, model by model. */
function costOfThisTurn(result: UnknownRecord): number | undefined {
  const models = fieldOf(result, 'model_usage_since_last_result');
  if (models === undefined) return undefined;
  return valuesOf(models).reduce<number>((sum, model) => sum + (amountOf(model, 'costUSD') ?? 0), 0);
}
