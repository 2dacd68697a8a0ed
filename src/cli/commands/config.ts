import { basename, join } from 'node:path';
import { formatTeamProblems } from '../../catalogue/teamProblems.js';
import { words } from '../../catalogue/words.js';

import { loadUserSettings, type SettingsResult } from '../../config/userSettings.js';
import { formatTable } from '../../frontends/lines/formatTable.js';
import type { ModelPrice } from '../../models/Team.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { isThere } from '../start/loadSettings.js';
import { UsageError } from '../start/reportError.js';
import { type ExplainedSetting, explainSettings, type SettingSource } from './explainSettings.js';

export interface ConfigOptions {
  /** Only this setting. */
  readonly key?: string;
  readonly json?: boolean;
}

/** `huddle config`: shows every setting as it holds here, and where it comes from. */
export async function showConfig({ key, json }: ConfigOptions, context: CliContext): Promise<number> {
  const { configFile: file } = context;
  const exists = file !== undefined && isThere(file);
  const loaded = exists ? await loadUserSettings({ file, homeFolder: context.homeFolder }) : undefined;
  const settings = select(key, await explainSettings(loaded, context));
  const problems = loaded === undefined || loaded.ok ? [] : loaded.problems;
  if (json) printJson(context, { file: file ?? null, exists, problems, settings });
  else {
    print(context, formatSettings(settings, context));
    if (key === undefined) print(context, `\n${describeFile(file, loaded)}`);
  }
  return problems.length === 0 ? EXIT_CODES.done : EXIT_CODES.teamFileInvalid;
}

/** `huddle config path`: prints where the configuration file is, or would be. */
export async function printConfigPath(_options: object, context: CliContext): Promise<number> {
  if (context.configFile === undefined) throw new UsageError(words.config.noFile);
  print(context, context.configFile);
  return EXIT_CODES.done;
}

/** The setting of this name, or all prices, or everything. */
function select(key: string | undefined, settings: readonly ExplainedSetting[]): readonly ExplainedSetting[] {
  if (key === undefined) return settings;
  const chosen = settings.filter((setting) => setting.key === key || setting.key.startsWith(`${key}.`));
  if (chosen.length > 0) return chosen;
  const known = ['prices', ...settings.map((setting) => setting.key)];
  throw new UsageError(words.config.unknownKey(key, nearest(key, known)));
}

function formatSettings(settings: readonly ExplainedSetting[], context: CliContext): string {
  const { heads, dataFolder } = words.config;
  const columns = [heads.key, heads.value, heads.source].map((head) => ({ head }));
  const rows = settings.map(({ key, value, source }) => [
    key === 'dataFolder' ? dataFolder : key,
    showValue(value, context),
    showSource(key, source, context.env),
  ]);
  return formatTable(
    columns,
    rows.map((row) => row.map(sanitizeToOneLine)),
  );
}

function showValue(value: unknown, context: CliContext): string {
  const { none, on, off, shownPrice } = words.config;
  if (typeof value === 'boolean') return value ? on : off;
  if (isPrice(value)) return shownPrice(value.input, value.cachedInput, value.output);
  return typeof value === 'string' ? shorten(value, context) : none;
}

/** A path as the user would write it, so that the table is narrow. */
function shorten(value: string, { workingFolder, homeFolder }: CliContext): string {
  const here = `${workingFolder}/`;
  if (value.startsWith(here)) return value.slice(here.length);
  return value.startsWith(`${homeFolder}/`) ? join('~', value.slice(homeFolder.length)) : value;
}

function isPrice(value: unknown): value is Omit<ModelPrice, 'model'> {
  return typeof value === 'object' && value !== null && 'input' in value;
}

function showSource(key: string, source: SettingSource, env: CliContext['env']): string {
  const { sources } = words.config;
  switch (source.kind) {
    case 'default':
      return key === 'team' ? sources.installed : sources.default;
    case 'config':
      return sources.config(basename(source.file), source.line);
    case 'environment':
    case 'option':
      return sources.environment(source.name);
    case 'team-file':
      return sources.teamFile;
    case 'locale':
      return sources.locale(source.variable, source.variable && env[source.variable]);
  }
}

function describeFile(file: string | undefined, loaded: SettingsResult | undefined): string {
  const { noFile, invalid, toFix, file: describe } = words.config;
  if (file === undefined) return noFile;
  const text =
    loaded === undefined || loaded.ok
      ? describe(file, loaded !== undefined)
      : `${invalid(file, formatTeamProblems(loaded.problems, file))}\n${toFix}`;
  return sanitizeForTerminal(text);
}
