import { words } from '../../catalogue/words.js';
import { LOCAL_STORE, loadStores, requireStore, resolveStoresFile } from '../../config/stores.js';
import { HuddleError } from '../../models/errors.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { CliContext } from '../start/CliContext.js';
import { showPath } from '../start/paths.js';

/** A shared store that was chosen. */
export interface ChosenStore {
  readonly name: string;
  readonly url: string;
}

interface NamedStore {
  readonly name: string;
  /** By what it was named, for people. */
  readonly source: string;
}

/**
 * Chooses where sessions are: --store, else HUDDLE_STORE, else the team file. Undefined: on this machine.
 *
 * @throws {@link HuddleError} `UNKNOWN_STORE` (as a rejection) if the user's own file has no such name.
 */
export async function chooseStore(context: CliContext): Promise<ChosenStore | undefined> {
  const named = await findStoreName(context);
  if (named === undefined || named.name === LOCAL_STORE) return undefined;
  const { name, source } = named;
  try {
    return { name, url: requireStore(await loadStores(requireStoresFile(context)), name) };
  } catch (error) {
    if (!(error instanceof HuddleError) || error.code !== 'UNKNOWN_STORE') throw error;
    throw new HuddleError(error.code, () => words.stores.unknownNamed(source, error.message), {
      cause: error,
    });
  }
}

/** The name that the command line, the environment or the team file gives, whether there is such a store or not. */
export async function findStoreName(context: CliContext): Promise<NamedStore | undefined> {
  const explicit = findExplicitName(context);
  if (explicit !== undefined) return explicit;
  const { storeWish, project } = context;
  const file = await project.fileOf(storeWish?.teamFile);
  const name = file === undefined ? undefined : await project.storeNameIn(file);
  if (file === undefined || name === undefined) return undefined;
  return { name, source: sanitizeToOneLine(words.stores.inTeamFile(name, showPath(file, context))) };
}

/** The name that the user gives for this run, whatever a team file says. */
export function findExplicitName({ storeWish, env }: CliContext): NamedStore | undefined {
  if (storeWish?.name !== undefined)
    return { name: storeWish.name, source: sanitizeToOneLine(`--store ${storeWish.name}`) };
  const { HUDDLE_STORE: name = '' } = env;
  return name === '' ? undefined : { name, source: sanitizeToOneLine(`HUDDLE_STORE=${name}`) };
}

/** The command as it is typed for the sessions in use: with the store that the command line names, else alone. */
export function huddleHere({ storeWish }: Pick<CliContext, 'storeWish'>): string {
  return storeWish?.name === undefined ? 'huddle' : `huddle --store ${quoteForShell(storeWish.name)}`;
}

/** The file with the names of stores. */
export function requireStoresFile({ configFile }: CliContext): string {
  if (configFile === undefined) throw new HuddleError('CONFIG_INVALID', () => words.stores.noConfigFolder);
  return resolveStoresFile(configFile);
}
