import { words } from '../../../catalogue/words.js';
import { listUsage, splitUsage } from '../../../conversation/usage.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import { costColumns, costRows, explainUnpriced, findUnpriced } from '../../../presentation/cost.js';
import { memberOf, namesIn } from '../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { formatTable } from '../../lines/formatTable.js';
import { note, type Paragraph } from '../screen/Paragraph.js';
import type { Screen } from '../screen/Screen.js';

/** The cost, by member and in total, and whose turns reported nothing. */
export async function summarizeCost(
  screen: Screen,
  conversation: Pick<Conversation, 'history'>,
): Promise<Paragraph[]> {
  if (screen.isRehearsal) return [note(words.terminal.dryRunCost)];
  const { usage } = screen.conversation;
  const fork = splitUsage(await listUsage(conversation.history()));
  const cells = costRows(usage, namesIn(screen), fork).map((row) => row.map(sanitizeToOneLine));
  const advice = explainUnpriced(findUnpriced(usage, screen.members)).map(sanitizeToOneLine);
  const table = [formatTable(costColumns(), cells), ...advice].join('\n');
  const unreported = await countUnreported(screen, conversation);
  const paragraphs: Paragraph[] = [
    ...(usage.total.turns === 0
      ? []
      : [{ kind: 'details', title: words.terminal.cost, text: table } as const]),
    ...(unreported.length === 0 ? [] : [note(words.terminal.unreported(unreported))]),
  ];
  return paragraphs.length === 0 ? [note(words.terminal.nothingSpent)] : paragraphs;
}

/** The turns that ended without usage data, by member. */
async function countUnreported(
  screen: Screen,
  conversation: Pick<Conversation, 'history'>,
): Promise<ReadonlyArray<readonly [name: string, turns: number]>> {
  const counts = new Map<string, number>();
  for await (const event of conversation.history()) {
    if (event.type !== 'turn-end' || event.usage !== undefined) continue;
    const { name } = memberOf(screen, event.memberId);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts];
}
