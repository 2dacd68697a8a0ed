import { words } from '../../catalogue/words.js';
import { cutToWidth, formatTable } from '../../frontends/tui/paint/formatTable.js';
import type { ConversationSummary } from '../../store/summary.js';
import { toArray } from '../../utils/AnyIterable.js';
import { type CliContext, print, printJson, say } from '../CliContext.js';
import { EXIT_CODES } from '../exitCodes.js';
import { describeCell, headOf, type SessionColumn } from '../sessionColumns.js';
import { findFoldersHere, listStored, withStore } from '../sessions.js';

export interface SessionsOptions {
  readonly json?: boolean;
  /** Lists sessions of other folders as well. */
  readonly all?: boolean;
}

/** Lists the saved sessions of this folder, or of all of them, the last opened first. */
export async function listSessions(
  { json, all = false }: SessionsOptions,
  context: CliContext,
): Promise<number> {
  const folders = all ? undefined : await findFoldersHere(context);
  const [shown, kept] = await withStore(context, async (store) => {
    const wanted = await toArray(listStored(store, folders));
    return [wanted, all ? wanted : await toArray(listStored(store))];
  });
  if (json) printJson(context, shown);
  else if (shown.length > 0) printSessions(shown, all, context);
  else say(context, kept.length === 0 ? words.sessions.none : words.sessions.noneHereYet);
  if (!json && kept.length > shown.length) say(context, words.sessions.elsewhere(kept.length - shown.length));
  return EXIT_CODES.done;
}

/** The columns, the most important first: the end of a line that is too long for the screen is cut. */
const COLUMNS: readonly SessionColumn[] = [
  'id',
  'when',
  'turns',
  'state',
  'folder',
  'title',
  'team',
  'members',
];

function printSessions(
  summaries: readonly ConversationSummary[],
  withFolders: boolean,
  context: CliContext,
): void {
  const { stdout } = context;
  const columns = COLUMNS.filter((column) => withFolders || column !== 'folder');
  const rows = summaries.map((summary) => columns.map((column) => describeCell(summary, column)));
  const room = (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY;
  for (const line of formatTable(columns.map(headOf), rows).split('\n'))
    print(context, cutToWidth(line, room));
}
