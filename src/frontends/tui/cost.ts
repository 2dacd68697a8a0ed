import { english } from '../../catalogue/english.js';
import { formatCount, formatUsd, terminalEnglish as words } from '../../catalogue/terminal.js';
import type { Spending } from '../../conversation/usage.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { Block } from './Block.js';
import { formatTable } from './formatTable.js';
import { createSpeakers } from './speakers.js';

const { heads } = english.cost;

/** The usage by member, and its sum. */
export function summarizeCost(conversation: Pick<Conversation, 'team' | 'snapshot'>): Block[] {
  const { members, total } = conversation.snapshot().state.usage;
  if (total.turns === 0) return [{ kind: 'note', tone: 'quiet', text: words.nothingSpent }];
  const speakers = createSpeakers(conversation.team.members);
  const rows = [
    ...members.map((spent) => describeSpending(speakers.get(spent.memberId)?.name ?? spent.memberId, spent)),
    describeSpending(heads.all, total),
  ];
  const numbers = [heads.turns, heads.input, heads.output].map((head) => ({ head, isNumber: true }));
  const text = formatTable([{ head: heads.member }, ...numbers, { head: heads.money }], rows);
  return [{ kind: 'details', title: words.cost, text }];
}

function describeSpending(name: string, spent: Spending): string[] {
  const { turns, inputTokens, outputTokens } = spent;
  const counts = [turns, inputTokens, outputTokens].map(formatCount);
  return [sanitizeToOneLine(name), ...counts, describeMoney(spent)];
}

/** Says how sure the sum is. */
function describeMoney({ usd, prices }: Spending): string {
  const sum = formatUsd(usd);
  if (prices.unknown > 0)
    return prices.reported + prices.estimated > 0 ? words.atLeast(sum) : words.priceUnknown;
  return prices.estimated > 0 ? words.estimated(sum) : sum;
}
