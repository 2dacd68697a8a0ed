import { parentPort, workerData } from 'node:worker_threads';
import { serveReading } from '../../frontends/web/reading/serveReading.js';
import type { ConversationId } from '../../models/ids.js';
import type { ConversationReader } from '../../store/Store.js';
import { explainUnreadable } from '../sessions/explainUnreadable.js';
import { speakLanguage } from '../start/chooseLanguage.js';
import type { ReadingData } from './readingSource.js';
import { SharedReading } from './SharedReading.js';

// Written by `readingSource`, on the other side.
const data = workerData as ReadingData;
const shared = 'url' in data ? new SharedReading(data.url) : undefined;

if (parentPort !== null)
  serveReading(parentPort, {
    speakLanguage,
    withLog: (id, work) =>
      withReader(id as ConversationId, async (reader) => {
        try {
          return await work(() => reader.read());
        } catch (error) {
          throw await explainUnreadable(error, reader);
        }
      }),
  });

async function withReader<Value>(
  id: ConversationId,
  work: (reader: ConversationReader) => Promise<Value>,
): Promise<Value> {
  if (shared !== undefined) return shared.read(id, work);
  const { readSaved } = await import('../../store/sqlite/SqliteStore.js');
  return readSaved('file' in data ? data.file : '', id, work);
}
