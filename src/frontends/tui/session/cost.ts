import { terminalEnglish as words } from '../../../catalogue/terminal.js';
import { COST_COLUMNS, costRows } from '../../../presentation/costTable.js';
import { namesIn } from '../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { formatTable } from '../paint/formatTable.js';
import type { Paragraph } from '../screen/Paragraph.js';
import type { Screen } from '../screen/Screen.js';

/** What was spent, by member and together. */
export function summarizeCost(screen: Screen): Paragraph[] {
  const { usage } = screen.conversation;
  if (usage.total.turns === 0) return [{ kind: 'note', tone: 'quiet', text: words.nothingSpent }];
  const rows = costRows(usage, namesIn(screen));
  const cells = rows.map((row) => row.map(sanitizeToOneLine));
  return [{ kind: 'details', title: words.cost, text: formatTable(COST_COLUMNS, cells) }];
}
