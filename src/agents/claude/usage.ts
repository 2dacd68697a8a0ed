import type { SessionTotals, TurnUsage, UsageEvent } from '../../models/AgentEvent.js';
import { addToTotals, addUsage, amountOf, sinceTotals, tokensOf } from '../dialect/failures.js';
import { fieldOf, type UnknownRecord, valuesOf } from '../dialect/records.js';

/** Adds up what the model reports while it answers: all that is known of a run that is cut off. */
export class StreamedUsage {
  #sum: TurnUsage | undefined;
  /** The usage of the message that is being written; each report replaces the one before. */
  #current: TurnUsage | undefined;

  /** Takes a raw event of the API. */
  add(event: unknown): void {
    const started = fieldOf(fieldOf(event, 'message'), 'usage');
    if (started !== undefined) {
      this.#sum = this.tokens;
      this.#current = usageIn(started, API_NAMES);
    }
    const written = fieldOf(event, 'usage');
    if (written !== undefined && this.#current !== undefined)
      this.#current = { ...this.#current, outputTokens: tokensOf(written, API_NAMES.output) };
  }

  get tokens(): TurnUsage | undefined {
    if (this.#sum === undefined || this.#current === undefined) return this.#sum ?? this.#current;
    return addUsage(this.#sum, this.#current);
  }
}

/** `usage` is of this run; `total_cost_usd` is of the whole session, so the cost is taken apart. */
export function readClaudeUsage(
  result: UnknownRecord,
  before: SessionTotals | undefined,
  streamed: StreamedUsage,
): UsageEvent {
  const usage = findUsage(result, streamed);
  const totalUsd = amountOf(result, 'total_cost_usd');
  if (totalUsd === undefined) return { type: 'usage', usage };
  return {
    type: 'usage',
    usage: { ...usage, usd: costOfThisTurn(result) ?? sinceTotals(totalUsd, before?.usd) },
    sessionTotals: addToTotals(before, usage, totalUsd),
  };
}

/** The known usage of a run that ended without its last record. */
export function readCutUsage({ tokens }: StreamedUsage): UsageEvent[] {
  return tokens === undefined ? [] : [{ type: 'usage', usage: tokens }];
}

/** The usage of a run that was interrupted is all zeros; what it took is then in the count by model, or was streamed. */
function findUsage(result: UnknownRecord, { tokens }: StreamedUsage): TurnUsage {
  const own = usageIn(fieldOf(result, 'usage'), API_NAMES);
  if (Object.values(own).some((count) => count !== 0)) return own;
  const models = valuesOf(fieldOf(result, 'model_usage_since_last_result'));
  if (models.length > 0) return models.map((model) => usageIn(model, MODEL_NAMES)).reduce(addUsage);
  return tokens ?? own;
}

/** The four kinds of tokens that are priced apart. */
const API_NAMES = {
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

function usageIn(report: unknown, names: typeof API_NAMES): TurnUsage {
  const cachedInputTokens = tokensOf(report, names.cached);
  return {
    inputTokens: tokensOf(report, names.input) + tokensOf(report, names.written) + cachedInputTokens,
    cachedInputTokens,
    outputTokens: tokensOf(report, names.output),
  };
}

/** Newer versions say it themselves, model by model. */
function costOfThisTurn(result: UnknownRecord): number | undefined {
  const models = fieldOf(result, 'model_usage_since_last_result');
  if (models === undefined) return undefined;
  return valuesOf(models).reduce<number>((sum, model) => sum + (amountOf(model, 'costUSD') ?? 0), 0);
}
