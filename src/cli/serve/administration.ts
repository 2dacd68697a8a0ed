import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import {
  checkSharedStore,
  createSharedStore,
  inviteRole,
  removeRole,
  upgradeSharedStore,
} from '../../store/postgres/administer.js';
import { StoreRefusedError } from '../../store/storeErrors.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

/** Roles that mean something else to the server. */
const RESERVED = /^(?:pg_.*|public|none)$/iu;
const MOST_ROLE_BYTES = 63;

/** Makes a database a shared store; false when it is one. */
export function createAsOwner(url: string): Promise<boolean> {
  return explainRefusal(createSharedStore(url), words.stores.cannotCreate);
}

/** Lets a role use a store, and makes the role where the server has none. */
export async function inviteAsOwner(
  url: string,
  role: string,
  options: { readonly worker: boolean },
): Promise<{ readonly isNew: boolean }> {
  if (role === '' || Buffer.byteLength(role) > MOST_ROLE_BYTES || RESERVED.test(role) || role.includes('\0'))
    throw new HuddleError('UNKNOWN_ROLE', sanitizeToOneLine(words.stores.badRole(role)));
  await requireOwner(url);
  return explainRefusal(inviteRole(url, role, options), (reason) => words.stores.cannotInvite(role, reason));
}

/** Takes the rights of a role away. Rejects if it has none. */
export async function removeAsOwner(url: string, role: string): Promise<void> {
  const { members, owner } = await requireOwner(url);
  const { ownerStays, unknownRole } = words.stores;
  if (role === owner) throw new HuddleError('UNKNOWN_ROLE', sanitizeToOneLine(ownerStays(role)));
  if (!members.includes(role))
    throw new HuddleError(
      'UNKNOWN_ROLE',
      sanitizeToOneLine(unknownRole(role, nearest(role, members), members)),
    );
  await removeRole(url, role);
}

/** Brings a store to the version of this Huddle; gives both. */
export function upgradeAsOwner(url: string): Promise<{ readonly from: number; readonly to: number }> {
  return explainRefusal(upgradeSharedStore(url), words.stores.cannotUpgrade);
}

async function requireOwner(url: string) {
  const facts = await checkSharedStore(url);
  if (facts.isOwner) return facts;
  const { role, owner } = facts;
  throw new HuddleError('STORE_REFUSED', sanitizeToOneLine(words.stores.notOwner(role, owner)));
}

/** Says what to do when the server refuses; what it says itself is part of that. */
async function explainRefusal<Value>(
  work: Promise<Value>,
  explain: (reason: string) => string,
): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoreRefusedError)) throw error;
    throw new HuddleError(error.code, sanitizeToOneLine(explain(error.detail)), { cause: error });
  }
}
