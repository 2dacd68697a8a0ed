import { join } from 'node:path';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { openPostgresStore } from '../../src/store/postgres/PostgresStore.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { LateStore } from '../store/LateStore.js';
import { useFreshStore } from '../store/postgres/freshStore.js';
import { testStore } from './store.js';

testStore('in memory', (clock) => new MemoryStore(clock));
testStore('at the far end of a promise', (clock) => new LateStore(clock));
testStore('in SQLite', (clock) => new SqliteStore({ file: join(makeTemporaryFolder(), 'huddle.db'), clock }));
for (const edition of ['newest', 'debian'] as const)
  describePostgres(
    `Postgres, ${edition}`,
    (server) => {
      useFreshStore(server, 'kailai');
      testStore('in Postgres', (clock) => openPostgresStore({ url: server().url('kailai'), clock }));
    },
    { edition },
  );
