import { resolve } from 'node:path';
import { english } from '../../catalogue/english.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import {
  InvalidImportError,
  importConversation,
  isSafeId,
  readChunks,
} from '../../store/importConversation.js';
import { ConversationExistsError } from '../../store/storeErrors.js';
import { describeSystemError } from '../../utils/systemErrors.js';
import { createWarnings } from '../createLogger.js';
import { EXIT_CODES } from '../exitCodes.js';
import { UsageError } from '../reportError.js';
import { print, type Surroundings } from '../Surroundings.js';
import { openStore } from '../sessions.js';

export interface ImportFlags {
  readonly file: string;
  /** Kept under this id in place of its own. */
  readonly as?: string;
}

/** Keeps a conversation that `export --format jsonl` wrote. Everything in it is checked; all of it is kept or nothing. */
export async function importSession({ file, as }: ImportFlags, surroundings: Surroundings): Promise<number> {
  if (as !== undefined && !isSafeId(as)) throw new UsageError(english.sessions.unsafeId(as));
  const store = await openStore(surroundings, createWarnings(surroundings));
  try {
    const { workingFolder: folder } = surroundings;
    const chunks = readChunks(resolve(folder, file));
    const id = await importConversation(store, chunks, { as: as as ConversationId | undefined, folder });
    print(surroundings, english.sessions.imported(id));
    return EXIT_CODES.done;
  } catch (error) {
    throw explain(error, file);
  } finally {
    await store.close();
  }
}

function explain(error: unknown, file: string): unknown {
  if (error instanceof ConversationExistsError)
    return new HuddleError(error.code, english.sessions.exists(error.message), { cause: error });
  if (error instanceof InvalidImportError)
    return new HuddleError(error.code, english.sessions.notALog(error.message), { cause: error });
  const { syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'open' && syscall !== 'read') return error;
  return new UsageError(english.cli.cannotRead(file, describeSystemError(error)));
}
