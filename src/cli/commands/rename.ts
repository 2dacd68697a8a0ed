import { words } from '../../catalogue/words.js';
import { renameConversation } from '../../store/numberFacts.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { findSession, withStore } from '../sessions/storedSessions.js';
import { type CliContext, print } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';

export interface RenameOptions {
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
