import { resolve } from 'node:path';
import { describeError, describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { InvalidImportError, importConversation, readChunks } from '../../store/importConversation.js';
import { renameConversation } from '../../store/numberFacts.js';
import { isSafeId, type Store } from '../../store/Store.js';
import { ConversationExistsError } from '../../store/storeErrors.js';
import type { ConversationSummary } from '../../store/summary.js';
import { toArray } from '../../utils/AnyIterable.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { deleteWhole, findSession, listStored, openStore, withStore } from '../sessions/storedSessions.js';
import { mayDelete } from '../start/askForYes.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import type { Age } from '../start/command.js';
import { createWarnings } from '../start/createLogger.js';
import { EXIT_CODE_OF_ERROR, EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';
import { printSessions } from './sessions.js';

interface RenameOptions {
  readonly id: string;
  /** Empty: the beginning of its first message is its title again. */
  readonly title: string;
}

/** Gives a saved session a title of the user's own. */
export async function rename({ id: wanted, title }: RenameOptions, context: CliContext): Promise<number> {
  return withStore(context, async (store) => {
    const { id } = await findSession(store, wanted);
    await renameConversation(store, id, title);
    const renamed = await findSession(store, id);
    print(context, sanitizeToOneLine(words.sessions.renamed(id, renamed.title)));
    return EXIT_CODES.done;
  });
}

interface DeleteOptions {
  readonly id?: string;
  /** Deletes every session that was last changed longer ago. */
  readonly olderThan?: Age;
  /** Deletes sessions of other folders as well. */
  readonly all?: boolean;
  readonly yes?: boolean;
}

/** Deletes one saved session permanently, or all that are old enough, after asking. */
export async function deleteSession(options: DeleteOptions, context: CliContext): Promise<number> {
  const { id, olderThan } = options;
  return withStore(context, async (store) => {
    if (id !== undefined && olderThan === undefined) return deleteOne(id, options, store, context);
    if (id !== undefined || olderThan === undefined) throw new UsageError(words.sessions.deleteWhat);
    return deleteOld({ ...options, olderThan }, store, context);
  });
}

async function deleteOne(
  wanted: string,
  { yes = false }: DeleteOptions,
  store: Store,
  context: CliContext,
): Promise<number> {
  const { id, messages, title } = await findSession(store, wanted);
  const { toDelete, deleted, deleteUnasked } = words.sessions;
  const question = sanitizeToOneLine(toDelete(id, messages, title));
  if (!yes && !(await mayDelete(question, deleteUnasked(id), context))) return EXIT_CODES.failed;
  await deleteWhole(id, store, context);
  print(context, deleted(id));
  return EXIT_CODES.done;
}

/** Sessions that stay: one was opened since the list was made, another is someone else's, in a shared store. */
const SKIPPED: ReadonlySet<string> = new Set(['CONVERSATION_LOCKED', 'NOT_YOURS']);

interface DeleteOldOptions {
  readonly olderThan: Age;
  /** Sessions of other folders as well. */
  readonly all?: boolean;
  readonly yes?: boolean;
}

/** Lists the sessions that were last changed before a time, and deletes them after asking. Open ones stay. */
async function deleteOld(
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

interface ImportFlags {
  readonly file: string;
  /** Saved under this id instead of its own. */
  readonly id?: string;
}

/** Saves a conversation that `export --format jsonl` wrote. Everything in it is checked; all of it is saved or nothing. */
export async function importSession({ file, id }: ImportFlags, context: CliContext): Promise<number> {
  if (id !== undefined && !isSafeId(id)) throw new UsageError(words.sessions.unsafeId(id));
  const store = await openStore(context, createWarnings(context));
  try {
    const { workingFolder: folder } = context;
    const chunks = readChunks(resolve(folder, file));
    const options = { as: id, folder };
    print(context, words.sessions.imported(await importConversation(store, chunks, options)));
    return EXIT_CODES.done;
  } catch (error) {
    throw explainImport(error, file);
  } finally {
    await store.close();
  }
}

/** Adds what to do to the error of a log that cannot be read. */
export function explainImport(error: unknown, file: string): unknown {
  if (error instanceof ConversationExistsError)
    return new HuddleError(error.code, words.sessions.exists(describeError(error)), { cause: error });
  if (error instanceof InvalidImportError)
    return new HuddleError(error.code, words.sessions.notALog(describeError(error)), { cause: error });
  const { syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'open' && syscall !== 'read') return error;
  return new UsageError(words.cli.cannotRead(file, describeSystemError(error)));
}
