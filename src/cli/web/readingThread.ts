import { parentPort, workerData } from 'node:worker_threads';
import { serveReading } from '../../frontends/web/reading/serveReading.js';
import type { ConversationId } from '../../models/ids.js';
import { readSaved } from '../../store/sqlite/readSaved.js';
import { speakLanguage } from '../chooseLanguage.js';
import { explainUnreadable } from '../explainUnreadable.js';
import type { ReadingData } from './readingSource.js';

// Written by `readingSource`, on the other side.
const { file } = workerData as ReadingData;

if (parentPort !== null)
  serveReading(parentPort, {
    speakLanguage,
    withLog: (id, work) =>
      readSaved(file, id as ConversationId, async (reader) => {
        try {
          return await work(() => reader.read());
        } catch (error) {
          throw await explainUnreadable(error, reader);
        }
      }),
  });
