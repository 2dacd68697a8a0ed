import { words } from '../../catalogue/words.js';
import { cutToWidth, formatTable } from '../../frontends/lines/formatTable.js';
import { replayConversation } from '../../frontends/print/printConversation.js';
import { describeOpenTurn, huddleCommand } from '../../frontends/print/sentences.js';
import { TextPrinter } from '../../frontends/print/textPrinter.js';
import { isShared } from '../../store/postgres/SharedStore.js';
import type { Store } from '../../store/Store.js';
import type { ConversationSummary } from '../../store/summary.js';
import { toArray } from '../../utils/AnyIterable.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { loadSession } from '../sessions/loadSession.js';
import { describeCell, headOf, type SessionColumn } from '../sessions/sessionColumns.js';
import { listStored, withSession, withStore } from '../sessions/storedSessions.js';
import { type CliContext, print, printJson, say, stopOf } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { huddleHere } from '../team/chooseStore.js';

interface SessionsOptions {
  readonly json?: boolean;
  /** Lists sessions of other folders as well. */
  readonly all?: boolean;
  /** Lists only those with this text in their title or in a message. */
  readonly search?: string;
}

/** Most sessions of a shared store that are listed at once. */
const MOST_SHARED = 1000;

/** Lists the saved sessions of this folder, or of all of them, the last opened first. */
export async function listSessions(
  { json, all = false, search }: SessionsOptions,
  context: CliContext,
): Promise<number> {
  const folders = all ? undefined : await context.project.folders();
  const { shown, elsewhere, isMany } = await withStore(context, async (store) => {
    const isMany = isShared(store);
    const listed = isMany
      ? (await store.list({ folders, text: search, limit: MOST_SHARED })).summaries
      : await toArray(listStored(store, folders, search));
    const isWhole = all || json || search !== undefined;
    const elsewhere = isWhole ? 0 : await countOthers(listed.length, store);
    return { shown: listed, elsewhere, isMany };
  });
  if (json) printJson(context, shown);
  else if (shown.length > 0) printSessions(shown, all, context);
  else say(context, describeNothing({ all, search }, elsewhere));
  if (elsewhere > 0)
    say(context, isMany ? words.sessions.ofOthers(huddleHere(context)) : words.sessions.elsewhere(elsewhere));
  if (isMany && shown.length === MOST_SHARED) say(context, words.sessions.onlyLatest(MOST_SHARED));
  return EXIT_CODES.done;
}

/** Number of sessions besides the listed ones. A shared store may hold millions: there it is 1 for any number of them. */
async function countOthers(listed: number, store: Store): Promise<number> {
  if (!isShared(store)) return (await toArray(listStored(store))).length - listed;
  const { summaries } = await store.list({ limit: listed + 1 });
  return summaries.length > listed ? 1 : 0;
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
  'holder',
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
    folder: withFolders && summaries.some(({ folder }) => folder !== undefined),
    holder: summaries.some(({ holder }) => holder?.role !== undefined),
    origin: summaries.some(({ forkedFrom }) => forkedFrom !== undefined),
  };
  const columns = COLUMNS.filter((column) => isShown[column] ?? true);
  const rows = summaries.map((summary) => columns.map((column) => describeCell(summary, column)));
  const room = (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY;
  for (const line of formatTable(columns.map(headOf), rows).split('\n'))
    print(context, cutToWidth(line, room));
}

/** A stored conversation as `run` printed it; of a damaged one, what can be read. */
export async function show({ id }: { readonly id?: string }, context: CliContext): Promise<number> {
  const { summary, status, nameOf } = await withSession(id, context, async (stored) => {
    const printer = new TextPrinter({
      words,
      streams: context,
      env: context.env,
      colours: context.settings.colours,
      command: huddleCommand(id === undefined ? undefined : stored.summary.id),
      record: { kind: 'saved', id: stored.summary.id },
      isRead: () => stopOf(context)?.isOutputGone !== true,
    });
    const { replayOf } = stored.summary;
    if (replayOf !== undefined) say(context, sanitizeToOneLine(words.sessions.isReplayOf(replayOf)));
    await replayConversation(stored.reader.read(), printer);
    return loadSession(stored);
  });
  // The log knows of these turns only that they began.
  for (const { turnId, memberId } of status.state.running)
    say(context, sanitizeToOneLine(describeOpenTurn(turnId, nameOf(memberId), summary.holder, words)));
  return EXIT_CODES.done;
}
