/** The public API of `agent-huddle/postgres`: conversations in a database that many machines share. */
import type { SharedStore } from './store/postgres/SharedStore.js';
import type { Logger } from './utils/logger.js';

export type {
  Offers,
  Presence,
  PresenceNews,
  SharedDatabase,
  SharedStore,
} from './store/postgres/SharedStore.js';
export {
  NotYoursError,
  StoreNotSetUpError,
  StoreOutOfReachError,
  StoreRefusedError,
  StoreUrlError,
} from './store/storeErrors.js';

/** Options of `openPostgresStore`. */
export interface SharedStoreOptions {
  /** The database, for instance `postgres://kim@db.example.org/huddle?sslmode=verify-full`. No password: that is in `~/.pgpass`. */
  readonly url: string;
  /** The name of this machine, for others. Default: what the system says. */
  readonly host?: string;
  /** Receives notes for developers. Default: none are written. */
  readonly logger?: Logger;
}

/**
 * Opens a store that many machines share. Close it at the end.
 *
 * @throws {@link StoreOutOfReachError}, {@link StoreRefusedError}, {@link StoreNotSetUpError}, {@link StoreUrlError} (as
 * rejections).
 *
 * @example
 * ```ts
 * const store = await openPostgresStore({ url: 'postgres://kim@db.example.org/huddle?sslmode=verify-full' });
 * const conversation = await createConversation({ team, store });
 * ```
 */
async function openStore(options: SharedStoreOptions): Promise<SharedStore> {
  const loaded = await import('./store/postgres/PostgresStore.js');
  return loaded.openPostgresStore(options);
}

/** Makes a store in a database of which this login is the owner; false when one is there already. */
async function createStore(url: string): Promise<boolean> {
  return (await ADMINISTER()).createSharedStore(url);
}

/** Lets a login use the store, and with `worker` run turns for others; makes it, without a password, where there is none. */
async function invite(
  url: string,
  role: string,
  options: { readonly worker?: boolean } = {},
): Promise<{ readonly isNew: boolean }> {
  return (await ADMINISTER()).inviteRole(url, role, options);
}

/** Takes the rights of a login away, and frees what its processes hold. The login itself stays. */
async function remove(url: string, role: string): Promise<void> {
  await (await ADMINISTER()).removeRole(url, role);
}

const ADMINISTER = () => import('./store/postgres/administer.js');

// Under the names of what they load, without its types: users have not installed the driver, so its types are not there.
export {
  createStore as createSharedStore,
  invite as inviteRole,
  openStore as openPostgresStore,
  remove as removeRole,
};
