import { words } from '../../catalogue/words.js';
import type { Store } from '../../store/Store.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { mayDelete } from '../sessions/mayDelete.js';
import { deleteWhole, findSession, withStore } from '../sessions/storedSessions.js';
import { type CliContext, print } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';
import type { Age } from '../start/values.js';

export interface DeleteOptions {
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
    const { deleteOld } = await import('../sessions/deleteOld.js');
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
