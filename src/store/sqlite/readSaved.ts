import { existsSync } from 'node:fs';
import type { ConversationId } from '../../models/ids.js';
import type { ConversationReader } from '../Store.js';
import { UnknownConversationError } from '../storeErrors.js';
import { ConversationTable } from './ConversationTable.js';
import { openDatabaseToRead } from './openDatabase.js';
import { SqliteReader } from './SqliteReader.js';
import { withFile } from './sqliteFailures.js';

/**
 * Works with one conversation of a file that is opened for this alone and never written.
 *
 * @throws {@link UnknownConversationError} (as a rejection), also when there is no file: then nothing was ever saved.
 */
export async function readSaved<Value>(
  file: string,
  id: ConversationId,
  work: (reader: ConversationReader) => Promise<Value>,
): Promise<Value> {
  if (!existsSync(file)) throw new UnknownConversationError(id);
  const database = openDatabaseToRead(file);
  try {
    const found = withFile(file, () => new ConversationTable(database, file).find(id));
    if (found === undefined) throw new UnknownConversationError(id);
    return await work(new SqliteReader(database, file, found));
  } finally {
    database.close();
  }
}
