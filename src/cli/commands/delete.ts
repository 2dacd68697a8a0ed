import { english } from '../../catalogue/english.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { askForYes, canAsk } from '../askForYes.js';
import { EXIT_CODES } from '../exitCodes.js';
import { requirePerson } from '../outerTurn.js';
import { UsageError } from '../reportError.js';
import { print, type Surroundings, say } from '../Surroundings.js';
import { findSession, withStore } from '../sessions.js';

export interface DeleteOptions {
  readonly id: string;
  readonly yes?: boolean;
}

/** Deletes one saved session permanently, after asking. */
export async function deleteSession(
  { id: wanted, yes }: DeleteOptions,
  surroundings: Surroundings,
): Promise<number> {
  requirePerson(surroundings);
  return withStore(surroundings, async (store) => {
    const { id, messages, title } = findSession(store.list(), wanted);
    const { toDelete, deleted, notDeleted, deleteUnasked } = english.sessions;
    if (!yes) {
      if (!canAsk(surroundings)) throw new UsageError(deleteUnasked(id));
      const question = `${sanitizeToOneLine(toDelete(id, messages, title))} `;
      if (!(await askForYes(question, surroundings))) {
        say(surroundings, notDeleted);
        return EXIT_CODES.failed;
      }
    }
    store.delete(id);
    print(surroundings, deleted(id));
    return EXIT_CODES.done;
  });
}
