import { formatRecent } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
import { cutToWidth, formatTable } from '../../frontends/tui/paint/formatTable.js';
import type { Column } from '../../presentation/costTable.js';
import type { ConversationSummary } from '../../store/summary.js';
import { toArray } from '../../utils/AnyIterable.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson, say } from '../CliContext.js';
import { EXIT_CODES } from '../exitCodes.js';
import { findFoldersHere, listStored, withStore } from '../sessions.js';

const TITLE_WIDTH = 40;

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

interface SessionColumn extends Column {
  readonly cell: (summary: ConversationSummary) => string;
  /** Shown even of an entry that cannot be read. */
  readonly isAlwaysKnown?: boolean;
}

/** The columns, the most important first: the end of a line that is too long for the screen is cut. */
function columnsOf(withFolders: boolean, now: number): readonly SessionColumn[] {
  const { heads } = words.sessions;
  const folder: SessionColumn = {
    head: heads.folder,
    cell: (summary) => summary.folder ?? '',
    isAlwaysKnown: true,
  };
  return [
    { head: heads.id, cell: ({ id }) => id, isAlwaysKnown: true },
    { head: heads.when, cell: ({ changedAt }) => formatRecent(changedAt, now) },
    { head: heads.turns, cell: ({ turns }) => String(turns), isNumber: true },
    { head: heads.state, cell: describeState, isAlwaysKnown: true },
    ...(withFolders ? [folder] : []),
    { head: heads.title, cell: ({ title }) => cutToWidth(sanitizeToOneLine(title), TITLE_WIDTH) },
    { head: heads.team, cell: ({ teamName }) => teamName },
    { head: heads.members, cell: ({ members }) => words.joining.list(members.map(({ name }) => name)) },
  ];
}

function printSessions(
  summaries: readonly ConversationSummary[],
  withFolders: boolean,
  context: CliContext,
): void {
  const { stdout } = context;
  const columns = columnsOf(withFolders, Date.now());
  const rows = summaries.map((summary) => columns.map((column) => describeCell(summary, column)));
  const room = (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY;
  for (const line of formatTable(columns, rows).split('\n')) print(context, cutToWidth(line, room));
}

function describeCell(summary: ConversationSummary, { cell, isAlwaysKnown = false }: SessionColumn): string {
  return summary.state === 'damaged' && !isAlwaysKnown ? '' : sanitizeToOneLine(cell(summary));
}

function describeState({ state, awaited, pause }: ConversationSummary): string {
  const { states, waitingFor, atLimit } = words.sessions;
  if (state === 'waiting') return waitingFor(awaited);
  return state === 'paused' && pause?.kind === 'limit' ? atLimit : states[state];
}
