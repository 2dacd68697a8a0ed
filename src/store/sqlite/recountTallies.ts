import { StoreDamagedError, StoreNewerError } from '../storeErrors.js';
import { type ConversationTally, countEvent, EMPTY_TALLY } from '../summary.js';
import { ConversationTable } from './ConversationTable.js';
import type { Database } from './loadSqlite.js';
import { SqliteReader } from './SqliteReader.js';

/** Counts every conversation anew, because another version counted other things. */
export function recountTallies(database: Database, file: string): void {
  const table = new ConversationTable(database, file);
  for (const conversation of table.all().conversations) {
    const tally = countReadable(new SqliteReader(database, file, conversation));
    table.update({ ...conversation, tally });
  }
}

/** What comes after damage does not count; whoever reads the conversation is told of it. */
function countReadable(reader: SqliteReader): ConversationTally {
  let tally = EMPTY_TALLY;
  try {
    for (const event of reader.read()) tally = countEvent(tally, event);
  } catch (error) {
    if (!(error instanceof StoreDamagedError || error instanceof StoreNewerError)) throw error;
  }
  return tally;
}
