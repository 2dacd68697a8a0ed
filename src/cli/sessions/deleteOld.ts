import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import type { Store } from '../../store/Store.js';
import type { ConversationSummary } from '../../store/summary.js';
import { toArray } from '../../utils/AnyIterable.js';
import { printSessions } from '../commands/sessions.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { EXIT_CODE_OF_ERROR, EXIT_CODES } from '../start/exitCodes.js';
import type { Age } from '../start/values.js';
import { mayDelete } from './mayDelete.js';
import { deleteWhole, listStored } from './storedSessions.js';

/** Sessions that stay: one was opened since the list was made, another is someone else's, in a shared store. */
const SKIPPED: ReadonlySet<string> = new Set(['CONVERSATION_LOCKED', 'NOT_YOURS']);

export interface DeleteOldOptions {
  readonly olderThan: Age;
  /** Sessions of other folders as well. */
  readonly all?: boolean;
  readonly yes?: boolean;
}

/** Lists the sessions that were last changed before a time, and deletes them after asking. Open ones stay. */
export async function deleteOld(
  { olderThan, all = false, yes = false }: DeleteOldOptions,
  store: Store,
  context: CliContext,
): Promise<number> {
  const { nothingOld, toDeleteOld, deleteOldUnasked } = words.sessions;
  const before = Date.now() - olderThan.milliseconds;
  const folders = all ? undefined : await context.project.folders();
  const listed = await toArray(listStored(store, folders));
  const old = listed.filter((summary) => isOld(summary, before));
  if (old.length === 0) {
    say(context, nothingOld(olderThan.text, all));
    return EXIT_CODES.done;
  }
  printSessions(old, all, context);
  const question = toDeleteOld(old.length, olderThan.text, all);
  if (!yes && !(await mayDelete(question, deleteOldUnasked(old.length), context))) return EXIT_CODES.failed;
  return deleteAll(old, store, context);
}

/** Whether it was last changed before a time, which is not known of a damaged entry. */
function isOld({ state, changedAt }: ConversationSummary, before: number): boolean {
  return state !== 'open' && state !== 'damaged' && changedAt < before;
}

async function deleteAll(
  summaries: readonly ConversationSummary[],
  store: Store,
  context: CliContext,
): Promise<number> {
  let exitCode: number = EXIT_CODES.done;
  for (const { id } of summaries) {
    try {
      await deleteWhole(id, store, context);
      print(context, words.sessions.deleted(id));
    } catch (error) {
      if (!(error instanceof HuddleError) || !SKIPPED.has(error.code)) throw error;
      say(context, words.cli.warning(describeError(error)));
      exitCode = EXIT_CODE_OF_ERROR.get(error.code) ?? EXIT_CODES.failed;
    }
  }
  return exitCode;
}
