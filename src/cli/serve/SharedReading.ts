import type { ConversationId } from '../../models/ids.js';
import type { ConversationReader, Store } from '../../store/Store.js';

/** Reads conversations of a shared store, on connections that stay open. */
export class SharedReading {
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
