import { basename, join } from 'node:path';
import { formatTeamProblems } from '../../catalogue/teamProblems.js';
import { words } from '../../catalogue/words.js';
import { formatPointer } from '../../config/parseTeamFile.js';
import { TeamFileError } from '../../config/readRegularFile.js';
import { loadUserSettings, type SettingsResult } from '../../config/userSettings.js';
import { formatTable } from '../../frontends/lines/formatTable.js';
import { colourChoiceOf } from '../../frontends/lines/paint.js';
import type { ModelPrice } from '../../models/Team.js';
import type { UserSettings } from '../../models/UserSettings.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';
import { isThere } from '../start/settings.js';

interface ConfigOptions {
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

/** The place that a value comes from. */
type SettingSource =
  | { readonly kind: 'default' }
  | { readonly kind: 'config'; readonly file: string; readonly line?: number }
  | { readonly kind: 'environment' | 'option'; readonly name: string }
  | { readonly kind: 'team-file'; readonly file: string }
  | { readonly kind: 'locale'; readonly variable?: string };

/** A setting as it holds here, and why. */
interface ExplainedSetting {
  readonly key: string;
  readonly value: unknown;
  readonly source: SettingSource;
}

const DEFAULT: SettingSource = { kind: 'default' };
const LOCALE_VARIABLES = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const;

/** Finds every value that holds in this folder, and where it comes from. */
async function explainSettings(
  loaded: SettingsResult | undefined,
  context: CliContext,
): Promise<readonly ExplainedSetting[]> {
  const { env, project, configFile: file = '' } = context;
  const settings: UserSettings = loaded?.ok ? loaded.settings : {};
  const fromConfig = (...path: readonly string[]): SettingSource => {
    const line = loaded?.ok ? loaded.lineOf(formatPointer(path)) : undefined;
    return { kind: 'config', file, line };
  };
  const choose = (key: keyof UserSettings, fallback: unknown, otherwise = DEFAULT): ExplainedSetting =>
    settings[key] === undefined
      ? { key, value: fallback, source: otherwise }
      : { key, value: settings[key], source: fromConfig(key) };

  const located = await project.locate();
  const found = located?.isDefault === false ? located.file : undefined;
  const ofTeam: SettingSource | undefined =
    found === undefined ? undefined : { kind: 'team-file', file: found };
  const colours = colourChoiceOf(env);
  return [
    explainLanguage(choose('language', words.language, explainLocale(env)), context),
    ofTeam === undefined ? choose('team', null) : { key: 'team', value: found, source: ofTeam },
    ...explainPrices(await pricesIn(found ?? settings.team, context), settings.prices ?? [], fromConfig),
    choose('notifications', true),
    colours === undefined
      ? choose('colours', 'auto')
      : { key: 'colours', value: colours.colours, source: fromEnvironment(colours.variable) },
    { key: 'dataFolder', value: context.dataFolder, source: explainDataFolder(env) },
  ];
}

/** A language that is named for this command comes before that of the settings. */
function explainLanguage(setting: ExplainedSetting, { languageNamedBy: name }: CliContext): ExplainedSetting {
  if (name === undefined) return setting;
  const kind = name.startsWith('-') ? 'option' : 'environment';
  return { ...setting, value: words.language, source: { kind, name } };
}

/** The prices of the team come first. */
function explainPrices(
  team: TeamPrices,
  own: readonly ModelPrice[],
  fromConfig: (...path: readonly string[]) => SettingSource,
): readonly ExplainedSetting[] {
  const hidden = new Set(team.prices.map(({ model }) => model));
  const prices = [
    ...team.prices.map((price) => ({ price, source: team.source })),
    ...own
      .filter(({ model }) => !hidden.has(model))
      .map((price) => ({ price, source: fromConfig('prices', price.model) })),
  ];
  if (prices.length === 0) return [{ key: 'prices', value: {}, source: DEFAULT }];
  return prices.map(({ price: { model, ...value }, source }) => ({ key: `prices.${model}`, value, source }));
}

interface TeamPrices {
  readonly prices: readonly ModelPrice[];
  readonly source: SettingSource;
}

/** The prices in a team file. Of one with problems there are none: `team check` tells them. */
async function pricesIn(file: string | undefined, { project }: CliContext): Promise<TeamPrices> {
  if (file === undefined) return { prices: [], source: DEFAULT };
  const source = { kind: 'team-file', file } as const;
  try {
    const { team } = await project.load(file, { interactive: true, trustedFiles: 'any' });
    return { prices: team.prices, source };
  } catch (error) {
    if (!(error instanceof TeamFileError)) throw error;
    return { prices: [], source };
  }
}

function explainLocale(env: CliContext['env']): SettingSource {
  const variable = LOCALE_VARIABLES.find((name) => env[name]);
  return { kind: 'locale', ...(variable && { variable }) };
}

function explainDataFolder({ HUDDLE_HOME, XDG_DATA_HOME }: CliContext['env']): SettingSource {
  if (HUDDLE_HOME) return fromEnvironment('HUDDLE_HOME');
  return XDG_DATA_HOME?.startsWith('/') ? fromEnvironment('XDG_DATA_HOME') : DEFAULT;
}

function fromEnvironment(name: string): SettingSource {
  return { kind: 'environment', name };
}
