import { formatCount, formatUsd, terminalEnglish as words } from '../../catalogue/terminal.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { LedgerEntry } from '../../coordinator/ledger.js';
import type { Block } from './Block.js';

/** The ledger by member, and what it comes to. */
export function summarizeCost(conversation: Pick<Conversation, 'team' | 'snapshot'>): Block[] {
  const { ledger } = conversation.snapshot();
  if (ledger.length === 0) return [{ kind: 'note', tone: 'quiet', text: words.nothingSpent }];
  const rows = conversation.team.members
    .map(({ id, name }) => ({ name, entries: ledger.filter(({ memberId }) => memberId === id) }))
    .filter(({ entries }) => entries.length > 0);
  const lines = [...rows, { name: words.total, entries: ledger }].map(({ name, entries }) =>
    describeEntries(name, entries),
  );
  return [{ kind: 'details', title: words.cost, text: lines.join('\n') }];
}

function describeEntries(name: string, entries: readonly LedgerEntry[]): string {
  const sum = (read: (entry: LedgerEntry) => number) =>
    entries.reduce((total, entry) => total + read(entry), 0);
  return words.costLine(
    name,
    entries.length,
    formatCount(sum(({ usage }) => usage.inputTokens)),
    formatCount(sum(({ usage }) => usage.outputTokens)),
    describeMoney(entries, formatUsd(sum(({ usage }) => usage.usd ?? 0))),
  );
}

/** Says how sure the sum is. */
function describeMoney(entries: readonly LedgerEntry[], usd: string): string {
  const has = (price: LedgerEntry['usage']['price']) => entries.some(({ usage }) => usage.price === price);
  if (has('unknown')) return has('reported') || has('estimated') ? words.atLeast(usd) : words.priceUnknown;
  return has('estimated') ? words.estimated(usd) : usd;
}
