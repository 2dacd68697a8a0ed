import { formatCount, formatUsd, terminalEnglish as words } from '../../catalogue/terminal.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { Spending } from '../../coordinator/ledger.js';
import type { Block } from './Block.js';
import { createSpeakers } from './speakers.js';

/** The ledger by member, and what it comes to. */
export function summarizeCost(conversation: Pick<Conversation, 'team' | 'snapshot'>): Block[] {
  const { members, total } = conversation.snapshot().ledger;
  if (total.turns === 0) return [{ kind: 'note', tone: 'quiet', text: words.nothingSpent }];
  const speakers = createSpeakers(conversation.team.members);
  const lines = [
    ...members.map((spent) => describeSpending(speakers.get(spent.memberId)?.name ?? spent.memberId, spent)),
    describeSpending(words.total, total),
  ];
  return [{ kind: 'details', title: words.cost, text: lines.join('\n') }];
}

function describeSpending(name: string, spent: Spending): string {
  const { turns, inputTokens, outputTokens } = spent;
  return words.costLine(
    name,
    turns,
    formatCount(inputTokens),
    formatCount(outputTokens),
    describeMoney(spent),
  );
}

/** Says how sure the sum is. */
function describeMoney({ usd, prices }: Spending): string {
  const sum = formatUsd(usd);
  if (prices.unknown > 0)
    return prices.reported + prices.estimated > 0 ? words.atLeast(sum) : words.priceUnknown;
  return prices.estimated > 0 ? words.estimated(sum) : sum;
}
