import { words } from '../../catalogue/words.js';
import { cutToWidth, formatTable } from '../../frontends/tui/paint/formatTable.js';
import type { ConversationSummary } from '../../store/summary.js';
import { toArray } from '../../utils/AnyIterable.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson, say } from '../CliContext.js';
import { EXIT_CODES } from '../exitCodes.js';
import { describeCell, headOf, type SessionColumn } from '../sessionColumns.js';
import { findFoldersHere, listStored, withStore } from '../sessions.js';

export interface SessionsOptions {
  readonly json?: boolean;
  /** Lists sessions of other folders as well. */
  readonly all?: boolean;
  /** Lists only those with this text in their title or in a message. */
  readonly search?: string;
}

/** Lists the saved sessions of this folder, or of all of them, the last opened first. */
export async function listSessions(
  { json, all = false, search }: SessionsOptions,
  context: CliContext,
): Promise<number> {
  const folders = all ? undefined : await findFoldersHere(context);
  const [shown, elsewhere] = await withStore(context, async (store) => {
    const listed = await toArray(listStored(store, folders, search));
    const isWhole = all || json || search !== undefined;
    return [listed, isWhole ? 0 : (await toArray(listStored(store))).length - listed.length];
  });
  if (json) printJson(context, shown);
  else if (shown.length > 0) printSessions(shown, all, context);
  else say(context, describeNothing({ all, search }, elsewhere));
  if (elsewhere > 0) say(context, words.sessions.elsewhere(elsewhere));
  return EXIT_CODES.done;
}

function describeNothing({ all, search }: SessionsOptions, elsewhere: number): string {
  const { none, noneHereYet, notFound, notFoundHere } = words.sessions;
  if (search === undefined) return all || elsewhere === 0 ? none : noneHereYet;
  return (all ? notFound : notFoundHere)(sanitizeToOneLine(search));
}

/** The columns, the most important first: the end of a line that is too long for the screen is cut. */
const COLUMNS: readonly SessionColumn[] = [
  'id',
  'when',
  'turns',
  'state',
  'origin',
  'folder',
  'title',
  'team',
  'members',
];

export function printSessions(
  summaries: readonly ConversationSummary[],
  withFolders: boolean,
  context: CliContext,
): void {
  const { stdout } = context;
  const isShown: Partial<Record<SessionColumn, boolean>> = {
    folder: withFolders,
    origin: summaries.some(({ forkedFrom }) => forkedFrom !== undefined),
  };
  const columns = COLUMNS.filter((column) => isShown[column] ?? true);
  const rows = summaries.map((summary) => columns.map((column) => describeCell(summary, column)));
  const room = (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY;
  for (const line of formatTable(columns.map(headOf), rows).split('\n'))
    print(context, cutToWidth(line, room));
}
