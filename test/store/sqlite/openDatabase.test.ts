import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/sqlite/openDatabase.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';

test('what is written survives a loss of power: every commit is on the disk before it counts, also in a file that is there', () => {
  const file = join(makeTemporaryFolder(), 'conversations.db');
  openDatabase(file, {}).close();
  const database = openDatabase(file, {});
  onTestFinished(() => database.close());
  // 2 is FULL, see sqlite.org/pragma.html
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
});
