import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { Usage } from '../../../conversation/usage.js';

const BYTES_PER_TOKEN = 4;

/** The sizes that a client's gauge shows. */
export interface PromptSize {
  /** Size of the latest prompt. */
  readonly bytes: number;
  /** The most that one may have. */
  readonly maxBytes: number;
}

/** The cost of the conversation, and how much of the room for a prompt is taken. */
export function usageUpdate({ total }: Usage, { bytes, maxBytes }: PromptSize): SessionUpdate {
  const isPriced = total.prices.reported + total.prices.estimated > 0;
  return {
    sessionUpdate: 'usage_update',
    used: Math.ceil(bytes / BYTES_PER_TOKEN),
    size: Math.floor(maxBytes / BYTES_PER_TOKEN),
    ...(isPriced && { cost: { amount: total.usd, currency: 'USD' } }),
  };
}

/** The tokens of the conversation as the protocol counts them: what came from a cache apart from the rest. */
export function tokenTotals({ total }: Usage): Pick<PromptResponse, 'usage'> {
  const { turns, inputTokens, cachedInputTokens, outputTokens } = total;
  if (turns === 0) return {};
  return {
    usage: {
      totalTokens: inputTokens + outputTokens,
      inputTokens: Math.max(0, inputTokens - cachedInputTokens),
      cachedReadTokens: cachedInputTokens,
      outputTokens,
    },
  };
}
