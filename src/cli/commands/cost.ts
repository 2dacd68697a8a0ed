import { english } from '../../catalogue/english.js';
import { listUsage, summarizeUsage, type TurnUsageEntry, type Usage } from '../../conversation/usage.js';
import { type Column, formatTable } from '../../frontends/tui/formatTable.js';
import type { TurnUsage } from '../../models/AgentEvent.js';
import { describePrices, formatMoney, formatSpent } from '../../transcript/words.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson, say } from '../CliContext.js';
import { EXIT_CODES } from '../exitCodes.js';
import { loadSession } from '../loadSession.js';
import { withSession } from '../sessions.js';

export interface CostOptions {
  readonly id?: string;
  readonly json?: boolean;
}

type NameOf = (memberId: string) => string;

const { heads, nothing } = english.cost;

/** Shows the usage of a saved session: by turn, by member, and in total. */
export function cost({ id, json }: CostOptions, context: CliContext): Promise<number> {
  return withSession(id, context, async (session) => {
    const { nameOf } = await loadSession(session);
    const entries = await listUsage(session.reader.read());
    const usage = summarizeUsage(entries);
    const conversationId = session.summary.id;
    if (json) printJson(context, { conversationId, ...describeUsage(usage, entries, nameOf) });
    else if (entries.length === 0) say(context, nothing(conversationId));
    else print(context, `${formatTurns(entries, nameOf)}\n\n${formatMembers(usage, nameOf)}`);
    return EXIT_CODES.done;
  });
}

function describeUsage(
  { total, members }: Usage,
  entries: readonly TurnUsageEntry[],
  nameOf: NameOf,
): object {
  return {
    total,
    members: members.map(({ memberId, ...spent }) => ({ member: nameOf(memberId), ...spent })),
    turns: entries.map(({ turnId, memberId, usage }) => ({ turnId, member: nameOf(memberId), ...usage })),
  };
}

function formatTurns(entries: readonly TurnUsageEntry[], nameOf: NameOf): string {
  const rows = entries.map(({ turnId, memberId, usage }) => [
    turnId,
    nameOf(memberId),
    ...countsOf(usage),
    usage.usd === undefined ? '' : formatMoney(usage.usd),
    english.cost.prices[usage.price],
  ]);
  return formatColumns([{ head: heads.turn }, { head: heads.member }], rows);
}

function formatMembers({ total, members }: Usage, nameOf: NameOf): string {
  const spendings = [
    ...members.map((member) => ({ ...member, name: nameOf(member.memberId) })),
    { ...total, name: heads.all },
  ];
  const rows = spendings.map((spending) => [
    spending.name,
    String(spending.turns),
    ...countsOf(spending),
    formatSpent(spending),
    describePrices(spending),
  ]);
  return formatColumns([{ head: heads.member }, { head: heads.turns, isNumber: true }], rows);
}

function countsOf({ inputTokens, cachedInputTokens, outputTokens }: TurnUsage): readonly string[] {
  return [inputTokens, cachedInputTokens, outputTokens].map((count) => formatNumber(count));
}

function formatColumns(first: readonly Column[], rows: readonly (readonly string[])[]): string {
  const { input, cached, output, money, price } = heads;
  const numbers = [input, cached, output, money].map((head) => ({ head, isNumber: true }));
  const cells = rows.map((row) => row.map(sanitizeToOneLine));
  return formatTable([...first, ...numbers, { head: price }], cells);
}
