import { words } from '../../catalogue/words.js';
import { formatTable } from '../../frontends/lines/formatTable.js';
import type { ConversationId } from '../../models/ids.js';
import type { Store } from '../../store/Store.js';
import type { ConversationSummary } from '../../store/summary.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { Choice } from '../picker/PickerScreen.js';
import { pickFromList } from '../picker/pickFromList.js';
import { askForLine } from '../start/askForYes.js';
import { type CliContext, print } from '../start/CliContext.js';
import { UsageError } from '../start/reportError.js';
import { describeCell, headOf, type SessionColumn } from './sessionColumns.js';
import { findLatest, withStore } from './storedSessions.js';

/** Number of the latest sessions that are offered; older ones have to be named. */
const MOST_OFFERED = 200;
const MOST_NUMBERED = 20;
const COLUMNS: readonly SessionColumn[] = ['title', 'when', 'state', 'members'];
/** Columns of the screen for everything besides the title. */
const OTHER_COLUMNS = 44;
const [SHORTEST_TITLE, LONGEST_TITLE] = [20, 60];

export interface PickOptions {
  /** Asks for a number, in plain lines. */
  readonly plain?: boolean;
}

/**
 * Lets the user pick one of the saved sessions of this folder; the only one is taken without asking. Undefined: cancelled.
 * Rejects with UNKNOWN_CONVERSATION if there is none.
 */
export async function pickSession(
  context: CliContext,
  { plain = false }: PickOptions = {},
): Promise<ConversationId | undefined> {
  const offered = await withStore(context, (store) => findOffered(store, context));
  const [only] = offered;
  if (only !== undefined && offered.length === 1) return only.id;
  if (plain) return askForNumber(offered.slice(0, MOST_NUMBERED), context);
  const picked = await pickFromList(words.sessions.picker.question, layOut(offered, context), context);
  return picked?.id;
}

async function findOffered(store: Store, context: CliContext): Promise<readonly ConversationSummary[]> {
  const folders = await context.project.folders();
  const { summaries } = await store.list({ folders, limit: MOST_OFFERED });
  const offered = summaries.filter(({ state }) => state !== 'empty');
  return offered.length > 0 ? offered : [await findLatest(store, folders)];
}

interface OfferedSession extends Choice {
  readonly id: ConversationId;
}

/** A row for each session, its cells under those of the others. */
function layOut(offered: readonly ConversationSummary[], { stdout }: CliContext): readonly OfferedSession[] {
  const room = (stdout.columns || 0) - OTHER_COLUMNS;
  const titleWidth = Math.min(LONGEST_TITLE, Math.max(SHORTEST_TITLE, room));
  const rows = offered.map((summary) => COLUMNS.map((column) => describeCell(summary, column, titleWidth)));
  const [, ...labels] = formatTable(COLUMNS.map(headOf), rows).split('\n');
  return offered.map((summary, index) => {
    const label = labels[index] ?? '';
    return { id: summary.id, label, searched: `${summary.id} ${summary.title} ${label}`.toLowerCase() };
  });
}

/** The same for a screen on which nothing can be painted over, or that is read aloud. */
async function askForNumber(
  offered: readonly ConversationSummary[],
  context: CliContext,
): Promise<ConversationId | undefined> {
  const { askNumber, noSuchNumber } = words.sessions.picker;
  layOut(offered, context).forEach(({ label }, index) => {
    print(context, `${index + 1}. ${label}`);
  });
  const line = await askForLine(askNumber(offered.length), context);
  if (line === undefined) return undefined;
  const picked = offered[line.trim() === '' ? 0 : Number(line) - 1];
  if (picked === undefined) throw new UsageError(noSuchNumber(sanitizeToOneLine(line)));
  return picked.id;
}
