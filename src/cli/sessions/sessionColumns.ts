import { formatRecent } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
import { cutToWidth } from '../../frontends/lines/formatTable.js';
import type { Column } from '../../presentation/cost.js';
import type { ConversationSummary } from '../../store/summary.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

/** A column in a list of sessions. */
export type SessionColumn = keyof typeof words.sessions.heads;

const TITLE_WIDTH = 40;
/** Known even of an entry that cannot be read. */
const ALWAYS_KNOWN: readonly SessionColumn[] = ['id', 'state', 'folder'];

const CELLS: Readonly<Record<SessionColumn, (summary: ConversationSummary) => string>> = {
  id: ({ id }) => id,
  when: ({ changedAt }) => formatRecent(changedAt, Date.now()),
  turns: ({ turns }) => String(turns),
  state: describeState,
  holder: ({ holder }) => (holder?.role === undefined ? '' : `${holder.role}@${holder.host}`),
  folder: ({ folder }) => folder ?? '',
  origin: ({ forkedFrom }) => forkedFrom ?? '',
  title: ({ title, replayOf }) =>
    replayOf === undefined ? title : words.sessions.replayOf(shortenId(replayOf), title),
  team: ({ teamName }) => teamName,
  members: ({ members }) => words.joining.list(members.map(({ name }) => name)),
};

/** The last part of an id, which is enough to type: of `20261115-0212-9f3c`, `9f3c`. */
function shortenId(id: string): string {
  return /^\d{8}-\d{4}-(\w+)$/u.exec(id)?.[1] ?? id;
}

export function headOf(column: SessionColumn): Column {
  return { head: words.sessions.heads[column], isNumber: column === 'turns' };
}

/** A cell, safe to show; empty if its entry cannot be read. */
export function describeCell(
  summary: ConversationSummary,
  column: SessionColumn,
  titleWidth = TITLE_WIDTH,
): string {
  if (summary.state === 'damaged' && !ALWAYS_KNOWN.includes(column)) return '';
  const text = sanitizeToOneLine(CELLS[column](summary));
  return column === 'title' ? cutToWidth(text, titleWidth) : text;
}

function describeState({ state, awaited, pause }: ConversationSummary): string {
  const { states, waitingFor, atLimit } = words.sessions;
  if (state === 'waiting') return waitingFor(awaited);
  return state === 'paused' && pause?.kind === 'limit' ? atLimit : states[state];
}
