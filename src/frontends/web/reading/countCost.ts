import { listUsage, splitUsage, summarizeUsage, type TurnUsageEntry } from '../../../conversation/usage.js';
import type { MemberId } from '../../../models/ids.js';
import { amountIn, tokensIn } from '../../../models/usageFigures.js';
import type { BinShare, CostBin, CostShown } from '../wire.js';
import type { ReadEvents } from './ReadingQuestion.js';

/** Adds up the usage of a conversation: in total, by member, and in so many bins for a chart. */
export async function countCost(read: ReadEvents, bins: number): Promise<CostShown> {
  const entries = await listUsage(read());
  const fork = splitUsage(entries);
  return { usage: summarizeUsage(entries), ...(fork && { fork }), bins: binUsage(entries, bins) };
}

/** Puts turns that follow each other into at most so many bins of the same size; only the last may have fewer turns. */
export function binUsage(entries: readonly TurnUsageEntry[], most: number): readonly CostBin[] {
  const size = Math.max(1, Math.ceil(entries.length / most));
  const bins: CostBin[] = [];
  for (let first = 0; first < entries.length; first += size) {
    const turns = entries.slice(first, first + size);
    const [from, to] = [turns[0], turns.at(-1)];
    if (from !== undefined && to !== undefined)
      bins.push({ from: from.turnId, to: to.turnId, members: shareOut(turns) });
  }
  return bins;
}

/** The parts of the members, in the order in which they come first. */
function shareOut(turns: readonly TurnUsageEntry[]): readonly BinShare[] {
  const shares = new Map<MemberId, BinShare>();
  for (const { memberId, usage } of turns) {
    const { usd, tokens } = shares.get(memberId) ?? { usd: 0, tokens: 0 };
    shares.set(memberId, {
      memberId,
      usd: usd + amountIn(usage.usd),
      tokens: tokens + tokensIn(usage.inputTokens) + tokensIn(usage.outputTokens),
    });
  }
  return [...shares.values()];
}
