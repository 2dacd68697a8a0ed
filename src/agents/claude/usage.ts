import type { SessionTotals, TurnUsage, UsageEvent } from '../../models/AgentEvent.js';
import { fieldOf, numberOf, type UnknownRecord, valuesOf } from '../records.js';
import { sinceTotals } from '../usage.js';

/** `usage` is of this run; `total_cost_usd` is of the whole session, so the cost is taken apart. */
export function readClaudeUsage(result: UnknownRecord, before: SessionTotals | undefined): UsageEvent {
  const reported = fieldOf(result, 'usage');
  const cached = numberOf(reported, 'cache_read_input_tokens') ?? 0;
  const written = numberOf(reported, 'cache_creation_input_tokens') ?? 0;
  const usage: TurnUsage = {
    inputTokens: (numberOf(reported, 'input_tokens') ?? 0) + written + cached,
    cachedInputTokens: cached,
    outputTokens: numberOf(reported, 'output_tokens') ?? 0,
  };
  const totalUsd = numberOf(result, 'total_cost_usd');
  if (totalUsd === undefined) return { type: 'usage', usage };
  return {
    type: 'usage',
    usage: { ...usage, usd: costOfThisTurn(result) ?? sinceTotals(totalUsd, before?.usd) },
    sessionTotals: {
      inputTokens: (before?.inputTokens ?? 0) + usage.inputTokens,
      cachedInputTokens: (before?.cachedInputTokens ?? 0) + usage.cachedInputTokens,
      outputTokens: (before?.outputTokens ?? 0) + usage.outputTokens,
      usd: totalUsd,
    },
  };
}

/** Newer versions say it themselves, model by model. */
function costOfThisTurn(result: UnknownRecord): number | undefined {
  const models = fieldOf(result, 'model_usage_since_last_result');
  if (models === undefined) return undefined;
  return valuesOf(models).reduce<number>((sum, model) => sum + (numberOf(model, 'costUSD') ?? 0), 0);
}
