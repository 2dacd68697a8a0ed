import { parentPort, workerData } from 'node:worker_threads';
import { serveReading } from '../../frontends/web/reading/serveReading.js';
import type { ConversationId } from '../../models/ids.js';
import type { ConversationReader, Store } from '../../store/Store.js';
import type { ReadingData } from '../commands/web.js';
import { explainUnreadable } from '../sessions/explainUnreadable.js';
import { speakLanguage } from '../start/settings.js';

/** Reads conversations of a shared store, on connections that stay open. */
class SharedReading {
  readonly #url: string;
  #store: Promise<Store> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async read<Value>(
    id: ConversationId,
    work: (reader: ConversationReader) => Promise<Value>,
  ): Promise<Value> {
    const reader = await (await this.#opened()).read(id);
    try {
      return await work(reader);
    } finally {
      await reader.close();
    }
  }

  /** A store that was out of reach is tried again with the next question. */
  #opened(): Promise<Store> {
    this.#store ??= this.#open().catch((error: unknown) => {
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  async #open(): Promise<Store> {
    const { openPostgresStore } = await import('../../store/postgres/PostgresStore.js');
    return openPostgresStore({ url: this.#url });
  }
}

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
