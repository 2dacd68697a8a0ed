const FAULTS = 'test/store/postgres/faults.test.ts';
const ATTACKS = 'test/store/postgres/attacks.test.ts';
const SHARED = 'test/store/postgres/PostgresStore.test.ts';
const SQL = 'src/store/postgres/migrations/0001.sql';

/** What a store that many machines share keeps, for whom, and whom it believes. */
export const sharedStore = [
  {
    name: 'a batch whose answer got lost is not recognised',
    file: SQL,
    find: 'THEN RETURN; END IF;\n  RAISE',
    replace: 'THEN NULL; END IF;\n  RAISE',
    test: FAULTS,
    title: 'is sent the same batch again when 6 answers got lost',
  },
  {
    name: 'an append does not look at the fence',
    file: SQL,
    find: 'AND c.fence = append.fence AND c.holder = append.process\n    AND c.last_seq',
    replace: 'AND c.last_seq',
    test: ATTACKS,
    title: 'append with a fence of tomorrow',
  },
  {
    name: 'an append does not look whose process it is',
    file: SQL,
    find: 'AND p.id = append.process AND p.role = session_user;',
    replace: 'AND p.id = append.process;',
    test: ATTACKS,
    title: 'append with kim',
  },
  {
    name: 'a process is anybody who knows its id',
    file: SQL,
    find: 'p.id = require_process.process AND p.role = session_user',
    replace: 'p.id = require_process.process',
    test: ATTACKS,
    title: 'end kim',
  },
  {
    name: 'events of other roles are believed',
    file: 'src/store/postgres/PostgresReader.ts',
    find: 'written_by === this.database.role || checkRecord(event).fault === undefined',
    replace: 'true',
    test: SHARED,
    title: 'says which event of another role is none: an event without its fields',
  },
  {
    name: 'checkpoints of other roles are used',
    file: 'src/store/postgres/PostgresReader.ts',
    find: 'WHERE conversation = $1 AND role = session_user',
    replace: 'WHERE conversation = $1',
    test: SHARED,
    title: 'uses a checkpoint only of its own role',
  },
  {
    name: 'all folders of all machines are one',
    file: 'src/store/postgres/ConversationRows.ts',
    find: "{folder}`).digest('hex')",
    replace: "{folder}`.slice(0, 0)).digest('hex')",
    test: SHARED,
    title: 'lists what this role opened from this host and folder, the latest first',
  },
  {
    name: 'any sslmode is safe enough',
    file: 'src/store/postgres/storeUrl.ts',
    find: "if (mode === 'verify-full') return 'tls';",
    replace: "if (mode !== null) return 'tls';",
    test: 'test/store/postgres/storeUrl.test.ts',
    title: 'sslmode=require is refused',
  },
  {
    name: 'a password in a URL is taken',
    file: 'src/store/postgres/storeUrl.ts',
    find: "if (parsed.password !== '') throw new StoreUrlError('password');",
    replace: '',
    test: 'test/store/postgres/storeUrl.test.ts',
    title: 'says nothing of a password that is in it',
  },
  {
    name: 'a process is not told that others may have taken over',
    file: 'src/store/postgres/PostgresPresence.ts',
    find: 'if (milliseconds >= stopAfter) this.#expire();',
    replace: '',
    test: FAULTS,
    title: 'tells how long it is silent, that others may take over, and that it is back',
  },
];
