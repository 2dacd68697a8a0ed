import { words } from '../../catalogue/words.js';
import { formatPointer } from '../../config/pointers.js';
import { TeamFileError } from '../../config/TeamFileError.js';
import type { SettingsResult } from '../../config/userSettings.js';
import { colourChoiceOf } from '../../frontends/lines/paint.js';
import type { ModelPrice } from '../../models/Team.js';
import type { UserSettings } from '../../models/UserSettings.js';
import type { CliContext } from '../start/CliContext.js';

/** The place that a value comes from. */
export type SettingSource =
  | { readonly kind: 'default' }
  | { readonly kind: 'config'; readonly file: string; readonly line?: number }
  | { readonly kind: 'environment' | 'option'; readonly name: string }
  | { readonly kind: 'team-file'; readonly file: string }
  | { readonly kind: 'locale'; readonly variable?: string };

/** A setting as it holds here, and why. */
export interface ExplainedSetting {
  readonly key: string;
  readonly value: unknown;
  readonly source: SettingSource;
}

const DEFAULT: SettingSource = { kind: 'default' };
const LOCALE_VARIABLES = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const;

/** Finds every value that holds in this folder, and where it comes from. */
export async function explainSettings(
  loaded: SettingsResult | undefined,
  context: CliContext,
): Promise<readonly ExplainedSetting[]> {
  const { env, project, configFile: file = '' } = context;
  const settings: UserSettings = loaded?.ok ? loaded.settings : {};
  const fromConfig = (...path: readonly string[]): SettingSource => {
    const line = loaded?.ok ? loaded.lineOf(formatPointer(path)) : undefined;
    return { kind: 'config', file, ...(line !== undefined && { line }) };
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
