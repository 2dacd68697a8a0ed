import { StoreNewerError, StoreNotSetUpError, StoreRefusedError } from '../storeErrors.js';
import { PostgresDatabase, readMigration, SHARED_VERSION } from './PostgresDatabase.js';
import type { Query } from './SharedStore.js';
import type { SafeWay } from './storeUrl.js';

/** A shared store as those see it who look after it. */
export interface StoreFacts {
  /** Host and database. */
  readonly store: string;
  readonly way: SafeWay;
  /** The login of this session. */
  readonly role: string;
  readonly owner: string;
  readonly isOwner: boolean;
  /** Version of the server, for instance `15.18`. */
  readonly server: string;
  readonly version: number;
  readonly members: readonly string[];
  readonly processes: readonly PresentProcess[];
}

/** A process that is there now. */
export interface PresentProcess {
  readonly role: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Names of the members and teams that it runs for others. */
  readonly offers: string | null;
}

export interface InviteOptions {
  /** It runs turns for others. */
  readonly worker?: boolean;
}

/** Makes a store in an empty database, or in one with other tables; false when one is there already. */
export function createSharedStore(url: string): Promise<boolean> {
  return withDatabase(url, async (database) => {
    const isNew = await database.transaction(async (query) => {
      if ((await readVersion(query, database)) !== null) return false;
      await query(readMigration(1));
      return true;
    });
    if (isNew) await migrate(database);
    return isNew;
  });
}

/** Brings an older store to the version of this Huddle; gives both. */
export function upgradeSharedStore(url: string): Promise<{ readonly from: number; readonly to: number }> {
  return withDatabase(url, async (database) => ({ from: await migrate(database), to: SHARED_VERSION }));
}

/** Makes each version of the one before, with the rights of its members, in a transaction of its own. Gives the version that it was. */
async function migrate(database: PostgresDatabase): Promise<number> {
  const from = await database.transaction(async (query) => {
    const version = await readVersion(query, database);
    if (version === null) throw new StoreNotSetUpError(database.address.name, false);
    if (version === SHARED_VERSION) return version;
    // Whoever reads a table in a transaction that stays open keeps it from being changed, and everybody from waiting behind that.
    await query("SET LOCAL lock_timeout = '2s'");
    await query(readMigration(version + 1));
    await query('UPDATE huddle.store SET version = $1', [version + 1]);
    for (const { role } of await query<{ role: string }>(MEMBERS)) await admit(query, role);
    return version;
  });
  if (from < SHARED_VERSION) await migrate(database);
  return from;
}

/** Lets a role read the store and call its functions. */
async function admit(query: Query, role: string): Promise<void> {
  await execute(query, 'GRANT USAGE ON SCHEMA huddle TO %I', role);
  await execute(query, 'GRANT SELECT ON ALL TABLES IN SCHEMA huddle TO %I', role);
  for (const { name } of await query<{ name: string }>(MEMBER_FUNCTIONS))
    await execute(query, `GRANT EXECUTE ON FUNCTION ${name} TO %I`, role);
  await endIdleTransactions(query, role);
}

/**
 * Has the server end a transaction of a role that does nothing for a minute. The role may set that back for its session, so
 * nothing relies on it: nobody waits for long for a lock of another.
 */
async function endIdleTransactions(query: Query, role: string): Promise<void> {
  await query('SAVEPOINT before_setting');
  try {
    await execute(
      query,
      'ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = 60000',
      role,
    );
  } catch (error) {
    // Not every owner may set that of a login that was there before.
    if (!(error instanceof StoreRefusedError)) throw error;
    await query('ROLLBACK TO SAVEPOINT before_setting');
  }
}

/** Lets a login read the store and call its functions; makes it, without a password, where there is none. */
export function inviteRole(
  url: string,
  role: string,
  { worker = false }: InviteOptions = {},
): Promise<{ readonly isNew: boolean }> {
  return withDatabase(url, (database) =>
    database.transaction(async (query) => {
      const version = await readVersion(query, database);
      if (version !== SHARED_VERSION) throw new StoreNotSetUpError(database.address.name, version !== null);
      const isNew = (await query('SELECT FROM pg_catalog.pg_roles WHERE rolname = $1', [role])).length === 0;
      if (isNew) await execute(query, 'CREATE ROLE %I LOGIN', role);
      await admit(query, role);
      if (worker) await query('INSERT INTO huddle.worker VALUES ($1) ON CONFLICT DO NOTHING', [role]);
      return { isNew };
    }),
  );
}

/** Takes the rights of a login away, and frees what its processes hold. The login itself stays. */
export function removeRole(url: string, role: string): Promise<void> {
  return withDatabase(url, (database) =>
    database
      .transaction(async (query) => {
        await execute(query, 'REVOKE ALL ON ALL FUNCTIONS IN SCHEMA huddle FROM %I', role);
        await execute(query, 'REVOKE ALL ON ALL TABLES IN SCHEMA huddle FROM %I', role);
        await execute(query, 'REVOKE ALL ON SCHEMA huddle FROM %I', role);
        await query('DELETE FROM huddle.worker WHERE role = $1', [role]);
        // A row that a transaction of the role keeps locked is not waited for: nothing renews it any more.
        await query(
          `UPDATE huddle.process SET expires = pg_catalog.now() WHERE id IN (
             SELECT id FROM huddle.process WHERE role = $1 AND expires > pg_catalog.now() FOR NO KEY UPDATE SKIP LOCKED)`,
          [role],
        );
      })
      .then(() => hangUp(database, role)),
  );
}

/** Ends the connections of a role, which could still listen on. Not every owner may: without any right they are of little use. */
async function hangUp(database: PostgresDatabase, role: string): Promise<void> {
  try {
    await database.query(
      `SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity
       WHERE usename = $1 AND datname = pg_catalog.current_database()`,
      [role],
    );
  } catch (error) {
    if (!(error instanceof StoreRefusedError)) throw error;
  }
}

/** Looks at a store. Throws as `openPostgresStore` rejects. */
export function checkSharedStore(url: string): Promise<StoreFacts> {
  return withDatabase(url, async (database) => {
    await database.readStore();
    const [facts] = await database.query<{
      owner: string;
      is_owner: boolean;
      server: string;
      version: number;
    }>(
      `SELECT pg_catalog.pg_get_userbyid(nspowner)::text AS owner,
         pg_catalog.pg_has_role(nspowner, 'MEMBER') AS is_owner,
         pg_catalog.current_setting('server_version') AS server, store.version
       FROM pg_catalog.pg_namespace, huddle.store WHERE nspname = 'huddle'`,
    );
    const members = await database.query<{ role: string }>(MEMBERS);
    const processes = await database.query<PresentProcess & Record<string, unknown>>(
      'SELECT role, host, pid, version, offers FROM huddle.process WHERE expires > pg_catalog.now() ORDER BY role, host, pid',
    );
    return {
      store: database.address.name,
      way: database.address.way,
      role: database.role,
      owner: String(facts?.owner),
      isOwner: facts?.is_owner === true,
      server: String(facts?.server),
      version: Number(facts?.version),
      members: members.map(({ role }) => role),
      processes,
    };
  });
}

/** Functions for members are those that run with the rights of the owner; helpers are not. */
const MEMBER_FUNCTIONS = `SELECT oid::regprocedure::text AS name FROM pg_catalog.pg_proc
  WHERE pronamespace = 'huddle'::regnamespace AND prosecdef ORDER BY 1`;

const MEMBERS = `SELECT pg_catalog.pg_get_userbyid(acl.grantee)::text AS role
  FROM pg_catalog.pg_namespace, pg_catalog.aclexplode(nspacl) AS acl
  WHERE nspname = 'huddle' AND acl.privilege_type = 'USAGE' AND acl.grantee <> nspowner ORDER BY 1`;

async function withDatabase<Value>(
  url: string,
  work: (database: PostgresDatabase) => Promise<Value>,
): Promise<Value> {
  const database = new PostgresDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Null when there is none. Throws StoreNewerError for that of a later Huddle. */
async function readVersion(query: Query, { address }: PostgresDatabase): Promise<number | null> {
  const [there] = await query<{ is_there: boolean }>(
    "SELECT pg_catalog.to_regclass('huddle.store') IS NOT NULL AS is_there",
  );
  if (there?.is_there !== true) return null;
  // Two owners at once wait for each other, on a row that no member can lock.
  const [row] = await query<{ version: number }>('SELECT version FROM huddle.store FOR NO KEY UPDATE');
  const version = row?.version ?? 0;
  if (version > SHARED_VERSION) throw new StoreNewerError({ file: address.name }, version, SHARED_VERSION);
  return version;
}

/** Sends a statement with the name of a role in it, and after that perhaps of this database, quoted by the server. */
async function execute(query: Query, template: string, role: string): Promise<void> {
  const [row] = await query<{ text: string }>(
    'SELECT pg_catalog.format($1, $2::text, pg_catalog.current_database()) AS text',
    [template, role],
  );
  await query(String(row?.text));
}
