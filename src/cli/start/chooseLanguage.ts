import { english } from '../../catalogue/english.js';
import { speak, words } from '../../catalogue/words.js';
import { LANGUAGES, type Language } from '../../models/Language.js';
import type { UserSettings } from '../../models/UserSettings.js';
import type { LanguageWish } from './language.js';
import { UsageError } from './reportError.js';

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
