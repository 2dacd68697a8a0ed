import { words } from '../../catalogue/words.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { inviteAsOwner, removeAsOwner, upgradeAsOwner } from '../serve/administration.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { addressOfStore, type NamedStoreOptions } from './store.js';

export interface RoleOptions extends NamedStoreOptions {
  readonly role: string;
  readonly worker?: boolean;
}

/** `huddle store invite`: lets a role of the database use the store. */
export async function inviteToStore(
  { store: name, role, worker = false }: RoleOptions,
  context: CliContext,
): Promise<number> {
  const url = await addressOfStore(name, context);
  const { isNew } = await inviteAsOwner(url, role, { worker });
  const { invited, invitedWorker, noPassword, nextAdd } = words.stores;
  print(context, sanitizeToOneLine((worker ? invitedWorker : invited)(role, name)));
  if (isNew) say(context, sanitizeToOneLine(noPassword(role)));
  say(context, sanitizeToOneLine(nextAdd(name, addressFor(role, url))));
  return EXIT_CODES.done;
}

/** The address of the same store for another role. */
function addressFor(role: string, url: string): string {
  const login = `${encodeURIComponent(role)}@`;
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/?#]*@)?/u, (_, scheme: string) => scheme + login);
}

/** `huddle store remove`: takes the rights of a role away; what it wrote stays. */
export async function removeFromStore(
  { store: name, role }: RoleOptions,
  context: CliContext,
): Promise<number> {
  await removeAsOwner(await addressOfStore(name, context), role);
  print(context, sanitizeToOneLine(words.stores.removed(role, name)));
  return EXIT_CODES.done;
}

/** `huddle store upgrade`: the only command that changes the tables of a store. */
export async function upgradeStore({ store: name }: NamedStoreOptions, context: CliContext): Promise<number> {
  const { from, to } = await upgradeAsOwner(await addressOfStore(name, context));
  const { upgraded, upToDate } = words.stores;
  print(context, from === to ? upToDate(name, to) : upgraded(name, from, to));
  return EXIT_CODES.done;
}
