import { resolve } from 'node:path';
import { describeError, describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { InvalidImportError, importConversation, readChunks } from '../../store/importConversation.js';
import { isSafeId } from '../../store/Store.js';
import { ConversationExistsError } from '../../store/storeErrors.js';
import { openStore } from '../sessions/storedSessions.js';
import { type CliContext, print } from '../start/CliContext.js';
import { createWarnings } from '../start/createLogger.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';

export interface ImportFlags {
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
