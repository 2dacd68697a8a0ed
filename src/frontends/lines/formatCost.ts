import { formatMoney } from '../../catalogue/formats.js';
import type { Catalogue } from '../../catalogue/words.js';
import { splitUsage, summarizeUsage, type TurnUsageEntry } from '../../conversation/usage.js';
import { type Column, costColumns, costRows } from '../../presentation/cost.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { formatTable } from './formatTable.js';

type NameOf = (memberId: string) => string;

/** The usage of a conversation: by turn, by member, and in total. */
export function formatCost(entries: readonly TurnUsageEntry[], nameOf: NameOf, words: Catalogue): string {
  const rows = costRows(summarizeUsage(entries), nameOf, words, splitUsage(entries));
  return `${formatTurns(entries, nameOf, words)}\n\n${formatSafely(costColumns(words), rows)}`;
}

/** Turn by turn. */
function formatTurns(entries: readonly TurnUsageEntry[], nameOf: NameOf, words: Catalogue): string {
  const rows = entries.map(({ turnId, memberId, usage }) => [
    turnId,
    nameOf(memberId),
    ...[usage.inputTokens, usage.cachedInputTokens, usage.outputTokens].map((count) => formatNumber(count)),
    usage.usd === undefined ? '' : formatMoney(usage.usd, words),
    words.cost.prices[usage.price],
  ]);
  const [member, , ...rest] = costColumns(words);
  return formatSafely([{ head: words.cost.heads.turn }, ...(member ? [member] : []), ...rest], rows);
}

function formatSafely(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  return formatTable(
    columns,
    rows.map((row) => row.map(sanitizeToOneLine)),
  );
}
