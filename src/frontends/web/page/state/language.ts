import { signal } from '@preact/signals';
import { english } from '../../../../catalogue/english.js';
import { speak } from '../../../../catalogue/words.js';
import { LANGUAGES, type Language } from '../../../../models/Language.js';
import { pickLanguage } from './pickLanguage.js';
import { keptSetting } from './settings.js';

const wanted = keptSetting('language', ['auto', ...LANGUAGES]);

/** The language that is spoken now. */
export const language = signal<Language>('en');

/** Speaks the language that was chosen here, else the first of the browser's that is known. */
export async function startLanguage(): Promise<void> {
  await speakLanguage(wanted.value === 'auto' ? pickLanguage(navigator.languages) : wanted.value);
}

/** Speaks another language from now on, also after a reload. */
export async function switchLanguage(chosen: Language): Promise<void> {
  await speakLanguage(chosen);
  wanted.value = chosen;
}

async function speakLanguage(chosen: Language): Promise<void> {
  speak(chosen === 'zh-CN' ? (await import('../../../../catalogue/chinese.js')).chinese : english);
  document.documentElement.lang = chosen;
  language.value = chosen;
}
