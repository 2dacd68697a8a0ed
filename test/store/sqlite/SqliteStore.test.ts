import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadSqlite } from '../../../src/store/sqlite/loadSqlite.js';
import { createTables, STORE_VERSION } from '../../../src/store/sqlite/openDatabase.js';
import { SqliteStore } from '../../../src/store/sqlite/SqliteStore.js';
import { withFile } from '../../../src/store/sqlite/sqliteFailures.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';
import { ID, listAll, message, start } from '../facts.js';

const { DatabaseSync } = loadSqlite();

describe('the file', () => {
  test.each(['000', '022', '077'])(
    'is for its owner only under umask %s, from the beginning',
    async (umask) => {
      const file = makeFile('data', 'huddle');
      const before = process.umask(umask);
      onTestFinished(() => void process.umask(before));
      const notices: string[] = [];
      const store = open(file, (notice) => notices.push(notice));
      (await store.create(ID)).append([start()]);
      // Nothing had to be closed that was open for a moment.
      expect(notices).toEqual([]);
      expect(modes(file)).toEqual({
        '.': '700',
        'conversations.db': '600',
        'conversations.db-shm': '600',
        'conversations.db-wal': '600',
      });
    },
  );

  test('that others could read is closed to them, with a notice', async () => {
    const file = makeFile('open');
    mkdirSync(dirname(file), { mode: 0o755 });
    await open(file).close();
    chmodSync(file, 0o644);
    chmodSync(dirname(file), 0o755);
    const notices: string[] = [];
    open(file, (notice) => notices.push(notice));
    expect(notices).toEqual([`${dirname(file)} had mode 755; now 700`, `${file} had mode 644; now 600`]);
    expect(modes(file)).toMatchObject({ '.': '700', 'conversations.db': '600' });
  });

  test.each([
    ['folder', 0o500],
    ['file', 0o400],
  ])('whose %s is closed even to its owner is left so', async (what, mode) => {
    const file = makeFile('closed');
    await open(file).close();
    const path = what === 'file' ? file : dirname(file);
    chmodSync(path, mode);
    onTestFinished(() => chmodSync(path, 0o700));
    const notices: string[] = [];
    try {
      await open(file, (notice) => notices.push(notice)).close();
    } catch (error) {
      // Who is not root cannot use it so.
      expect(error).toMatchObject({ code: 'STORE_WRITE' });
    }
    expect({ mode: statSync(path).mode & 0o777, notices }).toEqual({ mode, notices: [] });
  });

  test('that there is no room for when it is made is said to be full, not damaged', () => {
    const file = makeFile();
    const database = new DatabaseSync(file);
    onTestFinished(() => database.close());
    const exec = (sql: string): void => {
      // As SQLite does by itself when the disk is full.
      database.exec(sql === 'COMMIT' ? 'ROLLBACK' : sql);
      if (sql === 'COMMIT') throw Object.assign(new Error(), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    };
    const onFullDisk = { exec, prepare: (sql: string) => database.prepare(sql), close: () => undefined };
    expect(() => withFile(file, () => createTables(onFullDisk, file))).toThrow(
      expect.objectContaining({ code: 'STORE_WRITE', message: expect.stringContaining('full') }),
    );
  });

  test('of a newer version is refused by both numbers and left as it is', async () => {
    const file = makeFile();
    await open(file).close();
    execute(file, `PRAGMA user_version = ${STORE_VERSION + 6}`);
    const before = readFileSync(file);
    expect(() => open(file)).toThrow(
      expect.objectContaining({
        code: 'STORE_NEWER',
        found: STORE_VERSION + 6,
        known: STORE_VERSION,
        message: expect.stringMatching(/version 8;.*versions up to 2/),
      }),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('with sentences in its events is refused and left as it is', async () => {
    const file = makeFile();
    await open(file).close();
    execute(file, 'PRAGMA user_version = 1');
    const before = readFileSync(file);
    expect(() => open(file)).toThrow(expect.objectContaining({ code: 'STORE_OLDER' }));
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test.each([1, 5])(
    'of version %i from before the first release is refused and left as it is',
    async (version) => {
      const file = makeFile();
      await open(file).close();
      execute(
        file,
        `PRAGMA application_id = ${Buffer.from('Hudl').readInt32BE()}; PRAGMA user_version = ${version}`,
      );
      const before = readFileSync(file);
      expect(() => open(file)).toThrow(expect.objectContaining({ code: 'STORE_OLDER' }));
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  test.each([
    ['no database', 'hello world '.repeat(500)],
    ['cut short', 'SQLite format 3\0'],
  ])('that is %s is refused and left as it is', (_, content) => {
    const file = makeFile();
    writeFileSync(file, content, { mode: 0o600 });
    expect(() => open(file)).toThrow(expect.objectContaining({ code: 'STORE_DAMAGED', file }));
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  test('of another program is refused', () => {
    const file = makeFile();
    writeFileSync(file, '', { mode: 0o600 });
    execute(file, 'CREATE TABLE notes (text); PRAGMA user_version = 1');
    expect(() => open(file)).toThrow(expect.objectContaining({ code: 'STORE_DAMAGED' }));
  });

  test('that cannot be made is named, with the free space', () => {
    const file = join(makeFile(), 'conversations.db');
    writeFileSync(dirname(file), 'a file, not a folder');
    expect(() => open(file)).toThrow(expect.objectContaining({ code: 'STORE_WRITE', file }));
  });
});

describe('a lease', () => {
  test('of a process that is gone is taken over, and that is said', async () => {
    const { file, store } = await storeWithOneConversation();
    const gone = spawnSync(process.execPath, ['-e', '0']).pid;
    execute(file, `UPDATE conversation SET lease = json_set(lease, '$.pid', ${gone}, '$.processStart', 'x')`);
    const log = await store.open(ID);
    expect(log.takenOverFrom?.pid).toBe(gone);
    log.append([message(2)]);
    expect(log.lastSeq).toBe(3);
  });

  test('of an earlier process with the same number is taken over', async () => {
    const { file, store } = await storeWithOneConversation();
    execute(file, `UPDATE conversation SET lease = json_set(lease, '$.processStart', 'another')`);
    expect((await store.open(ID)).takenOverFrom?.pid).toBe(process.pid);
  });

  test('of another machine holds until somebody says that it is over', async () => {
    const { file, store } = await storeWithOneConversation();
    execute(file, `UPDATE conversation SET lease = json_set(lease, '$.host', 'elsewhere', '$.pid', 1)`);
    await expect(store.open(ID)).rejects.toThrow(/process 1 on elsewhere/);
    expect((await store.open(ID, { takeOver: true })).takenOverFrom?.host).toBe('elsewhere');
  });
});

describe('damage', () => {
  test.each([
    [
      'a changed text',
      `UPDATE event SET body = replace(body, 'Message 2', 'Message 3') WHERE place % 4294967296 = 3`,
    ],
    ['a missing event', 'DELETE FROM event WHERE place % 4294967296 = 3'],
    [
      'events in each other’s place',
      'UPDATE event SET body = (SELECT body FROM event e WHERE e.place = event.place - 1) WHERE place % 4294967296 = 3',
    ],
  ])('is found: %s', async (_, sql) => {
    const { file, store } = await storeWithOneConversation();
    const log = await store.open(ID, { takeOver: true });
    log.append([message(2), message(3)]);
    execute(file, sql);
    const seen: number[] = [];
    const readAll = async () => {
      for await (const { seq } of (await store.read(ID)).read()) seen.push(seq);
    };
    await expect(readAll()).rejects.toThrow(
      expect.objectContaining({ code: 'STORE_DAMAGED', conversationId: ID, intactEvents: 2, file }),
    );
    expect(seen).toEqual([1, 2]);
    expect(await toArray((await store.read(ID)).read(4))).toMatchObject([{ seq: 4 }]);
  });

  test('of the end of a log is found', async () => {
    const { file, store } = await storeWithOneConversation();
    execute(file, 'DELETE FROM event WHERE place % 4294967296 = 2');
    await expect(toArray((await store.read(ID)).read())).rejects.toThrow(/event 2 is missing/);
  });

  test.each([
    `UPDATE conversation SET tally = replace(tally, 'Message 1', 'Message 9')`,
    `UPDATE conversation SET folder = '/elsewhere' WHERE folder = '/work'`,
    `UPDATE conversation SET lease = '{' WHERE folder = '/work'`,
    `UPDATE conversation SET lease = '{"pid":"1"}' WHERE folder = '/work'`,
  ])('of an entry leaves the other conversations in the list: %s', async (change) => {
    const { file, store } = await storeWithOneConversation();
    const other = await store.create('other' as typeof ID);
    other.append([start('other' as typeof ID)]);
    execute(file, change);
    expect(await listAll(store)).toMatchObject([
      { id: 'other', state: 'open' },
      { id: ID, state: 'damaged', title: '' },
    ]);
    await expect(store.read(ID)).rejects.toThrow(
      expect.objectContaining({
        code: 'STORE_DAMAGED',
        message: expect.stringMatching(
          /The file was not changed\. You can delete it; the others still work\.$/u,
        ),
      }),
    );
  });

  test('of an entry does not keep it from being deleted, and with it what it held', async () => {
    const { file, store } = await storeWithOneConversation();
    execute(file, `UPDATE conversation SET tally = '{}'`);
    await store.delete(ID);
    expect(await listAll(store)).toEqual([]);
    expect(query(file, 'SELECT count(*) AS events FROM event')).toEqual({ events: 0 });
    await expect(store.delete(ID)).rejects.toThrow(expect.objectContaining({ code: 'UNKNOWN_CONVERSATION' }));
  });

  test('of a checkpoint makes it count as absent', async () => {
    const { file, store } = await storeWithOneConversation();
    await (await store.open(ID, { takeOver: true })).saveCheckpoint({ seq: 2, value: { spent: 1 } });
    execute(file, `UPDATE checkpoint SET body = '{"spent":2}'`);
    expect(await (await store.read(ID)).readCheckpoint()).toBeNull();
  });
});

test('what is deleted is gone from the file', async () => {
  const { file, store } = await storeWithOneConversation();
  const log = await store.open(ID, { takeOver: true });
  log.append([message(2, `secret ${'tulip '.repeat(2000)}`)]);
  await log.close();
  await store.delete(ID);
  for (const path of [file, `${file}-wal`]) expect(readFileSync(path).includes('tulip')).toBe(false);
});

test('events of a newer version are refused', async () => {
  const { store } = await storeWithOneConversation();
  const log = await store.open(ID, { takeOver: true });
  await log.restore([{ ...message(2), v: 2 as 1, seq: 3, at: 1 }]);
  await expect(toArray(log.read())).rejects.toThrow(
    expect.objectContaining({ code: 'STORE_NEWER', found: 2, known: 1 }),
  );
});

test('loading SQLite says nothing on stderr', () => {
  const program = `import(${JSON.stringify(new URL('../../../compiled/store/sqlite/loadSqlite.js', import.meta.url).href)}).then(({ loadSqlite }) => new (loadSqlite().DatabaseSync)(':memory:'))`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

function makeFile(...folders: string[]): string {
  return join(makeTemporaryFolder(), ...folders, 'conversations.db');
}

function open(file: string, warn?: (notice: string) => void): SqliteStore {
  const store = new SqliteStore({ file, ...(warn && { logger: { warn } }) });
  return store;
}

async function storeWithOneConversation(): Promise<{ file: string; store: SqliteStore }> {
  const file = makeFile();
  const store = open(file);
  onTestFinished(() => store.close());
  (await store.create(ID, { folder: '/work' })).append([start(), message(1)]);
  return { file, store };
}

function execute(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

function query(file: string, sql: string): Record<string, unknown> {
  const database = new DatabaseSync(file);
  const row = database.prepare(sql).get();
  database.close();
  return { ...row };
}

function modes(file: string): Record<string, string> {
  const folder = dirname(file);
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  return Object.fromEntries(
    ['.', ...readdirSync(folder).sort()].map((name) => [name, mode(join(folder, name))]),
  );
}
