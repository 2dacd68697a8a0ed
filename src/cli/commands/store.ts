import { words } from '../../catalogue/words.js';
import { loadMachineKey, replaceMachineKey, resolveKeyFile } from '../../config/machineKey.js';
import { isStoreName, type KnownStores, loadStores, requireStore, saveStore } from '../../config/stores.js';
import { formatTable } from '../../frontends/lines/formatTable.js';
import { HuddleError } from '../../models/errors.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { showPath } from '../start/paths.js';
import { UsageError } from '../start/reportError.js';
import { findStoreName, requireStoresFile } from '../team/chooseStore.js';

export interface NamedStoreOptions {
  readonly store: string;
}

interface NewStoreOptions extends NamedStoreOptions {
  readonly url: string;
  /** A name that is taken gets the new address. */
  readonly force?: boolean;
}

/** `huddle store init`: makes a database a shared store, and gives it a name here. */
export async function initStore(
  { url, ...options }: Omit<NewStoreOptions, 'url'> & Partial<Pick<NewStoreOptions, 'url'>>,
  context: CliContext,
): Promise<number> {
  const { store: name } = options;
  if (url === undefined) throw new UsageError(words.stores.needsUrl);
  const file = await requireFreeName({ ...options, url }, context);
  const { createAsOwner } = await import('../serve/administration.js');
  const isNew = await createAsOwner(url);
  await saveStore(file, name, url);
  const { created, isThere, nextInvite, nextUse } = words.stores;
  print(context, (isNew ? created : isThere)(name));
  say(context, nextInvite(name));
  say(context, nextUse(name));
  return EXIT_CODES.done;
}

/** `huddle store add`: gives a shared store a name on this machine. Connects to nothing. */
export async function addStore(options: NewStoreOptions, context: CliContext): Promise<number> {
  const { store: name, url } = options;
  const file = await requireFreeName(options, context);
  await saveStore(file, name, url);
  print(context, sanitizeToOneLine(words.stores.added(name, url)));
  say(context, words.stores.nextCheck(name));
  return EXIT_CODES.done;
}

/** The file in which the name can be written. Rejects if it cannot be a name, stands for another store, or the address is refused. */
async function requireFreeName(
  { store: name, url, force = false }: NewStoreOptions,
  context: CliContext,
): Promise<string> {
  if (!isStoreName(name)) throw new UsageError(sanitizeToOneLine(words.stores.badName(name)));
  const { parseStoreUrl } = await import('../../store/postgres/storeUrl.js');
  parseStoreUrl(url);
  const file = requireStoresFile(context);
  const known = (await loadStores(file)).get(name);
  if (known !== undefined && known !== url && !force)
    throw new HuddleError('STORE_NAME_TAKEN', sanitizeToOneLine(words.stores.exists(name, known)));
  return file;
}

/** `huddle store list`: the names of this machine, and which of them would be used here. */
export async function listStores(
  { json }: { readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const stores = await loadKnown(context);
  const chosen = (await findStoreName(context))?.name;
  const { heads, chosenHere, none } = words.stores;
  if (json)
    printJson(
      context,
      [...stores].map(([name, url]) => ({ name, url, chosen: name === chosen })),
    );
  else if (stores.size === 0) say(context, none);
  else {
    const rows = [...stores].map(([name, url]) => [name, url, name === chosen ? chosenHere : '']);
    const columns = [heads.name, heads.url, heads.chosen].map((head) => ({ head }));
    print(
      context,
      formatTable(
        columns,
        rows.map((cells) => cells.map(sanitizeToOneLine)),
      ),
    );
  }
  return EXIT_CODES.done;
}

function loadKnown(context: CliContext): Promise<KnownStores> {
  return loadStores(requireStoresFile(context));
}

/** The address of a store that the user names. */
export async function addressOfStore(name: string, context: CliContext): Promise<string> {
  return requireStore(await loadKnown(context), name);
}

interface KeyOptions {
  /** Makes another key in place of the one there is. */
  readonly new?: boolean;
}

/** `huddle key`: prints the public key of this machine, which it makes when there is none. */
export async function key({ new: isNew = false }: KeyOptions, context: CliContext): Promise<number> {
  const { configFile } = context;
  if (configFile === undefined) throw new HuddleError('CONFIG_INVALID', words.stores.noConfigFolder);
  const file = resolveKeyFile(configFile);
  const { publicKey } = isNew ? await replaceMachineKey(file) : await loadMachineKey(file);
  print(context, publicKey);
  if (isNew) say(context, words.stores.key.replaced);
  say(context, words.stores.key.howTo(showPath(file, context)));
  return EXIT_CODES.done;
}
