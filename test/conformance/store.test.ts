import { join } from 'node:path';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { LateStore } from '../store/LateStore.js';
import { testStore } from './store.js';

testStore('in memory', (clock) => new MemoryStore(clock));
testStore('at the far end of a promise', (clock) => new LateStore(clock));
testStore('in SQLite', (clock) => new SqliteStore({ file: join(makeTemporaryFolder(), 'huddle.db'), clock }));
