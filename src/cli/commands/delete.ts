import { words } from '../../catalogue/words.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { askForYes, canAsk } from '../askForYes.js';
import { type CliContext, print, say } from '../CliContext.js';
import { EXIT_CODES } from '../exitCodes.js';
import { requirePerson } from '../outerTurn.js';
import { UsageError } from '../reportError.js';
import { findSession, withStore } from '../sessions.js';

export interface DeleteOptions {
  readonly id: string;
  readonly yes?: boolean;
}

/** Deletes one saved session permanently, after asking. */
export async function deleteSession(
  { id: wanted, yes }: DeleteOptions,
  context: CliContext,
): Promise<number> {
  requirePerson(context);
  return withStore(context, async (store) => {
    const { id, messages, title } = await findSession(store, wanted);
    const { toDelete, deleted, notDeleted, deleteUnasked } = words.sessions;
    if (!yes) {
      if (!canAsk(context)) throw new UsageError(deleteUnasked(id));
      const question = `${sanitizeToOneLine(toDelete(id, messages, title))} `;
      if (!(await askForYes(question, context))) {
        say(context, notDeleted);
        return EXIT_CODES.failed;
      }
    }
    await store.delete(id);
    print(context, deleted(id));
    return EXIT_CODES.done;
  });
}
