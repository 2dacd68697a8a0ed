import { chmodSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatTeamProblems } from '../catalogue/teamProblems.js';
import { words } from '../catalogue/words.js';
import { HuddleError } from '../models/errors.js';
import { STORE_NAME } from '../models/Team.js';
import { nearest } from '../utils/nearest.js';
import { makeMissingFolders } from '../utils/privatePaths.js';
import { replaceFile, withLockFile } from './privateFile.js';
import { readRegularFile, requireOwnFolders, UnreadableFileError } from './readRegularFile.js';

/** The name of the sessions on this machine, which is no shared store. */
export const LOCAL_STORE = 'local';

/** The shared stores that the user has added: their addresses by name. */
export type KnownStores = ReadonlyMap<string, string>;

const VERSION = 1;
const MAX_BYTES = 256 * 1024;
const FILE_MODE = 0o600;
const RIGHTS_OF_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;

/** The file that says what the names of shared stores mean. It is the user's own: a team file can only name a store. */
export function resolveStoresFile(configFile: string): string {
  return join(dirname(configFile), 'stores.json');
}

export function isStoreName(name: string): boolean {
  return STORE_NAME.test(name) && name.toLowerCase() !== LOCAL_STORE;
}

/** Reads the file; none is no store. Throws STORES_FILE_INVALID, and STORES_FILE_UNSAFE or FILE_OPEN_TO_OTHERS if others can change it. */
export async function loadStores(file: string): Promise<KnownStores> {
  if (!requireOwn(file)) return new Map();
  try {
    return parseStores(await readRegularFile(file, MAX_BYTES));
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      const problem = { code: 'FILE_UNREADABLE', pointer: '', value: undefined, ...error.facts } as const;
      throw new HuddleError('STORES_FILE_INVALID', formatTeamProblems([problem], file));
    }
    if (error instanceof SyntaxError)
      throw new HuddleError('STORES_FILE_INVALID', () => words.stores.invalidFile(file, error.message));
    throw error;
  }
}

/** The address that a name stands for. Throws UNKNOWN_STORE. */
export function requireStore(stores: KnownStores, name: string): string {
  const url = stores.get(name);
  if (url !== undefined) return url;
  const near = nearest(name, [...stores.keys()]);
  throw new HuddleError('UNKNOWN_STORE', () => words.stores.unknown(name, near));
}

/** Adds a store, or gives its name another address. */
export async function saveStore(file: string, name: string, url: string): Promise<void> {
  makeMissingFolders(dirname(file));
  await withLockFile(`${file}.lock`, async () => {
    const stores = Object.fromEntries([...(await loadStores(file)), [name, url]]);
    await replaceFile(file, [`${JSON.stringify({ version: VERSION, stores }, null, 2)}\n`], FILE_MODE);
  });
}

/** Whether there is such a file. One that others can change is refused, one that they can read is closed to them. */
function requireOwn(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (!isOwn || (found.isFile() && (found.mode & WRITABLE_BY_OTHERS) !== 0))
    throw new HuddleError('STORES_FILE_UNSAFE', () => words.stores.unsafeFile(file));
  requireOwnFolders(file);
  if (found.isFile() && (found.mode & RIGHTS_OF_OTHERS) !== 0) chmodSync(file, FILE_MODE);
  return true;
}

/** Throws SyntaxError. */
function parseStores(text: string): KnownStores {
  const value: unknown = JSON.parse(text);
  const { version, stores } = (value ?? {}) as { readonly version?: unknown; readonly stores?: unknown };
  const entries = typeof stores === 'object' && stores !== null ? Object.entries(stores) : undefined;
  const isWhole = entries?.every(([name, url]) => isStoreName(name) && typeof url === 'string');
  if (version !== VERSION || entries === undefined || !isWhole) throw new SyntaxError(words.stores.fileShape);
  return new Map(entries);
}
