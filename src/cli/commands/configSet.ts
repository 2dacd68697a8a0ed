import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import {
  type ChangeResult,
  changeUserSettings,
  type SettingChange,
} from '../../config/changeUserSettings.js';
import { loadTeamFile } from '../../config/loadTeamFile.js';
import { formatPointer } from '../../config/pointers.js';
import { UnreadableFileError } from '../../config/readRegularFile.js';
import { resolveUserPath, type SettingsPlace } from '../../config/userSettings.js';
import { HuddleError } from '../../models/errors.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { invalidSettings } from '../start/loadSettings.js';
import { UsageError } from '../start/reportError.js';
import { parseSetting, parseSettingKey } from './parseSetting.js';

export interface SetOptions {
  readonly key: string;
  readonly value: readonly string[];
}

/** `huddle config set`: changes one setting in the configuration file. */
export async function setConfig({ key, value }: SetOptions, context: CliContext): Promise<number> {
  const place = requirePlace(context);
  const change = parseSetting(key, value, context);
  const isTeam = key === 'team';
  if (isTeam) await loadTeamFile(resolveUserPath(String(change.value), place), CHECKED);
  await applyChange(change, place, context);
  print(context, words.config.set(sanitizeToOneLine(key), sanitizeToOneLine(value.join(' ')), place.file));
  if (isTeam) say(context, words.config.teamNeedsTrust);
  return EXIT_CODES.done;
}

/** `huddle config unset`: removes one setting from the configuration file. */
export async function unsetConfig({ key }: Pick<SetOptions, 'key'>, context: CliContext): Promise<number> {
  const place = requirePlace(context);
  const isChanged = await applyChange({ path: parseSettingKey(key), value: undefined }, place, context);
  const sentence = isChanged ? words.config.removed : words.config.notSet;
  print(context, sentence(sanitizeToOneLine(key), place.file));
  return EXIT_CODES.done;
}

/** As a start would, though nothing is started. */
const CHECKED = { interactive: true, trustedFiles: 'any' } as const;

function requirePlace({ configFile: file, homeFolder }: CliContext): SettingsPlace {
  if (file === undefined) throw new HuddleError('CANNOT_WRITE', words.config.noFile);
  return { file, homeFolder };
}

/** Writes the change. Returns whether there was anything to change. */
async function applyChange(
  change: SettingChange,
  place: SettingsPlace,
  context: CliContext,
): Promise<boolean> {
  const result = await orExplainWriting(place.file, () => changeUserSettings(change, place));
  if (result.ok) return result.isChanged;
  const [name, model] = change.path;
  const pointer = formatPointer(change.path.slice(0, 2));
  if (name === 'prices' && result.problems.every((problem) => problem.pointer.startsWith(`${pointer}/`)))
    throw new UsageError(words.config.price(model ?? '<model>'));
  throw invalidSettings(context, result.problems);
}

async function orExplainWriting(file: string, work: () => Promise<ChangeResult>): Promise<ChangeResult> {
  try {
    return await work();
  } catch (error) {
    const isRefused = error instanceof UnreadableFileError || (error instanceof Error && 'syscall' in error);
    if (!isRefused) throw error;
    const reason = error instanceof UnreadableFileError ? error.message : describeSystemError(error);
    throw new HuddleError('CANNOT_WRITE', words.config.cannotWrite(file, reason), { cause: error });
  }
}
