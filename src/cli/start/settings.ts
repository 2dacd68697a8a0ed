import { lstatSync } from 'node:fs';
import { english } from '../../catalogue/english.js';
import { formatTeamProblems } from '../../catalogue/teamProblems.js';
import { speak, words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { LANGUAGES, type Language } from '../../models/Language.js';
import type { UserSettings } from '../../models/UserSettings.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import type { CliContext } from './CliContext.js';
import type { LanguageWish } from './language.js';
import { UsageError } from './reportError.js';

/** Reads the settings of the user. Without a file nothing is loaded. */
export async function loadSettings(
  context: CliContext,
): Promise<Pick<CliContext, 'settings' | 'settingsProblems'>> {
  const { configFile: file, homeFolder } = context;
  if (file === undefined || !isThere(file)) return { settings: {}, settingsProblems: [] };
  const { loadUserSettings } = await import('../../config/userSettings.js');
  const result = await loadUserSettings({ file, homeFolder });
  return result.ok
    ? { settings: result.settings, settingsProblems: [] }
    : { settings: {}, settingsProblems: result.problems };
}

/** Throws what is wrong with the settings of the user, if anything. */
export function requireSettings(context: CliContext): void {
  if (context.settingsProblems.length > 0) throw invalidSettings(context, context.settingsProblems);
}

/** The error of a configuration file with problems. */
export function invalidSettings(
  { configFile = '' }: CliContext,
  problems: CliContext['settingsProblems'],
): HuddleError {
  return new HuddleError('CONFIG_INVALID', () => {
    const message = words.config.invalid(configFile, formatTeamProblems(problems, configFile));
    return sanitizeForTerminal(`${message}\n${words.config.toFix}`);
  });
}

/** Whether anything has the name, be it a link that leads nowhere. In a folder that cannot be entered nothing does. */
export function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Chooses the language of every sentence from now on: by its name, the settings of the user, or the locale. */
export async function chooseLanguage(
  { named, locale }: LanguageWish,
  { language: preferred }: UserSettings,
): Promise<void> {
  await speakLanguage(named?.language ?? (named === undefined ? preferred : undefined) ?? locale);
  if (named !== undefined && named.language === undefined)
    throw new UsageError(words.cli.unknownLanguage(named.source, named.value, LANGUAGES));
}

/** English is always there; another language is loaded when it is chosen. */
export async function speakLanguage(language: Language): Promise<void> {
  speak(language === 'zh-CN' ? (await import('../../catalogue/chinese.js')).chinese : english);
}
