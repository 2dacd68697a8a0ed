import { words } from '../../catalogue/words.js';
import { askForYes, canAsk } from '../start/askForYes.js';
import { type CliContext, say } from '../start/CliContext.js';
import { UsageError } from '../start/reportError.js';

/** Asks whether to delete; says so if not. Throws where no one can be asked. */
export async function mayDelete(question: string, unasked: string, context: CliContext): Promise<boolean> {
  if (!canAsk(context)) throw new UsageError(unasked);
  if (await askForYes(`${question} `, context)) return true;
  say(context, words.sessions.notDeleted);
  return false;
}
