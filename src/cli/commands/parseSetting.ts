import { join, relative, resolve } from 'node:path';
import { words } from '../../catalogue/words.js';
import type { SettingChange } from '../../config/changeUserSettings.js';
import { SETTING_CHOICES, SETTING_NAMES } from '../../config/userSettings.js';
import { nearest } from '../../utils/nearest.js';
import type { CliContext } from '../start/CliContext.js';
import { UsageError } from '../start/reportError.js';

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['off', false],
  ['true', true],
  ['false', false],
]);

/** `prices.gpt-5.3.input` → `['prices', 'gpt-5.3', 'input']`: names of models have dots. Throws UsageError. */
export function parseSettingKey(key: string): readonly string[] {
  const [, model, field] = /^prices\.(.+?)(?:\.(input|cachedInput|output))?$/u.exec(key) ?? [];
  if (model !== undefined) return field === undefined ? ['prices', model] : ['prices', model, field];
  if (SETTING_NAMES.some((name) => name === key)) return [key];
  throw new UsageError(words.config.unknownKey(key, nearest(key, SETTING_NAMES)));
}

/** The words after `huddle config set` → the change of the file. Throws UsageError. */
export function parseSetting(key: string, values: readonly string[], context: CliContext): SettingChange {
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
