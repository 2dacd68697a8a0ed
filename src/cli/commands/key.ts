import { words } from '../../catalogue/words.js';
import { loadMachineKey, replaceMachineKey, resolveKeyFile } from '../../config/machineKey.js';
import { HuddleError } from '../../models/errors.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { showPath } from '../start/showPath.js';

export interface KeyOptions {
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
