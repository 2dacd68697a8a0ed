import { join, relative, resolve } from 'node:path';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import {
  type ChangeResult,
  changeUserSettings,
  type SettingChange,
} from '../../config/changeUserSettings.js';
import { loadTeamFile } from '../../config/loadTeamFile.js';
import { formatPointer } from '../../config/parseTeamFile.js';
import { UnreadableFileError } from '../../config/readRegularFile.js';
import {
  resolveUserPath,
  SETTING_CHOICES,
  SETTING_NAMES,
  type SettingsPlace,
} from '../../config/userSettings.js';
import { HuddleError } from '../../models/errors.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';
import { invalidSettings } from '../start/settings.js';

interface SetOptions {
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

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['off', false],
  ['true', true],
  ['false', false],
]);

/** `prices.gpt-5.3.input` → `['prices', 'gpt-5.3', 'input']`: names of models have dots. Throws UsageError. */
function parseSettingKey(key: string): readonly string[] {
  const [, model, field] = /^prices\.(.+?)(?:\.(input|cachedInput|output))?$/u.exec(key) ?? [];
  if (model !== undefined) return field === undefined ? ['prices', model] : ['prices', model, field];
  if (SETTING_NAMES.some((name) => name === key)) return [key];
  throw new UsageError(words.config.unknownKey(key, nearest(key, SETTING_NAMES)));
}

/** The words after `huddle config set` → the change of the file. Throws UsageError. */
function parseSetting(key: string, values: readonly string[], context: CliContext): SettingChange {
  const path = parseSettingKey(key);
  const [name, model = '<model>', field] = path;
  if (name === 'prices') return { path, value: parsePrice(model, field, values) };
  const [value = '', ...others] = values;
  if (others.length > 0) throw new UsageError(words.config.oneValue(key));
  if (name === 'team') return { path, value: tidyPath(value, context) };
  if (name === 'notifications') return { path, value: parseSwitch(key, value) };
  const choices = name === 'language' ? SETTING_CHOICES.language : SETTING_CHOICES.colours;
  if (!choices.includes(value)) throw new UsageError(words.config.choices(key, choices, value));
  return { path, value };
}

/** Numbers → a price: a single one for a field; input and output for a whole price, maybe with cached input between. */
function parsePrice(model: string, field: string | undefined, values: readonly string[]): unknown {
  const [input, ...rest] = values.map(Number);
  const isPrice = values.every((value) => /^\d*\.?\d+$/u.test(value));
  const output = rest.at(-1);
  if (isPrice && field !== undefined && output === undefined) return input;
  if (!isPrice || field !== undefined || output === undefined || rest.length > 2 || model === '<model>')
    throw new UsageError(words.config.price(model));
  return rest.length === 1 ? { input, output } : { input, cachedInput: rest[0], output };
}

function parseSwitch(key: string, value: string): boolean {
  const isOn = SWITCH.get(value.toLowerCase());
  if (isOn === undefined)
    throw new UsageError(words.config.choices(key, [words.config.on, words.config.off], value));
  return isOn;
}

/** A path that holds from every folder, and in every home. */
function tidyPath(path: string, { workingFolder, homeFolder }: CliContext): string {
  if (/^~(?:\/|$)/u.test(path)) return path;
  const absolute = resolve(workingFolder, path);
  const inHome = relative(homeFolder, absolute);
  return inHome.startsWith('..') || inHome === '' ? absolute : join('~', inHome);
}
