import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import {
  openReading,
  type Reading,
  type ReadingSource,
} from '../../../../src/frontends/web/reading/ReadingThread.js';
import type { Call, RouteName } from '../../../../src/frontends/web/routes.js';
import { SqliteStore } from '../../../../src/store/sqlite/SqliteStore.js';
import { makeTemporaryFolder } from '../../../config/temporaryFolder.js';

/** The module of the thread, as it is built. */
const THREAD = new URL('../../../../compiled/cli/serve/readingThread.js', import.meta.url);

/** A file for saved sessions, a store that writes it, and the reading of it by the real thread. */
export function openDesk(more: Partial<ReadingSource> = {}): {
  readonly store: SqliteStore;
  readonly file: string;
  readonly reading: Reading;
} {
  const file = join(makeTemporaryFolder(), 'conversations.sqlite');
  const store = new SqliteStore({ file });
  onTestFinished(() => store.close());
  return { store, file, reading: startReading({ module: THREAD, data: { file }, ...more }) };
}

export function startReading(source: ReadingSource): Reading {
  const reading = openReading(source);
  onTestFinished(() => reading.close());
  return reading;
}

/** A request that passed every check, as handlers get it. */
export function call<Name extends RouteName>(
  params: Readonly<Record<string, string>>,
  query: Call<Name>['query'],
): Call<Name> {
  const given: object = { params, query, body: undefined, browserId: 'b1', role: 'watch', words: english };
  return given as Call<Name>;
}
