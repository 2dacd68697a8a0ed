import { signal } from '@preact/signals';
import {
  costText,
  decisionText,
  limitText,
  sessionStatusText,
  typedText,
} from '../../../../catalogue/english/conversation.js';
import { failureText } from '../../../../catalogue/english/failures.js';
import { fileRecordText } from '../../../../catalogue/english/fileRecords.js';
import { joiningText } from '../../../../catalogue/english/joining.js';
import { noticeText, tellingText } from '../../../../catalogue/english/telling.js';
import { webLogText, webText } from '../../../../catalogue/english/web.js';
import { wishText } from '../../../../catalogue/english/wishes.js';
import { elsewhereText } from '../../../../catalogue/english/workers.js';
import type { WordsOf } from '../../../../catalogue/words.js';
import { LANGUAGES, type Language } from '../../../../models/Language.js';
import type { chinesePage } from './chinese.js';

/** The sections of the catalogue that the page reads. */
export type PanelWords = WordsOf<keyof typeof chinesePage>;

/** Sections that it reads from the beginning. In English the others come with the first panel, else with their language. */
type PageWords = Omit<PanelWords, 'filePlan' | 'webPanels' | 'why'>;

const english: PageWords = {
  language: 'en',
  joining: joiningText,
  decisions: decisionText,
  notices: noticeText,
  fileRecords: fileRecordText,
  failures: failureText,
  limits: limitText,
  telling: tellingText,
  elsewhere: elsewhereText,
  sessionStatus: sessionStatusText,
  cost: costText,
  typed: typedText,
  wishes: wishText,
  web: webText,
  webLog: webLogText,
};

/** The language that is spoken now. */
export const language = signal<Language>('en');

/** The sentences of the page. Read when a sentence is made, never kept: everything is made again when the language changes. */
export let pageWords: PageWords = english;

/** @public In the bundle this module stands for `catalogue/words.ts`. */
export { pageWords as words };

/** Speaks a language from now on. English comes with the page, the others when they are spoken. */
export async function loadLanguage(chosen: Language): Promise<void> {
  pageWords = chosen === 'zh-CN' ? (await import('./chinese.js')).chinesePage : english;
  language.value = chosen;
}

/** The first language of a list that is known, whatever its region; English if there is none. */
export function pickLanguage(preferred: readonly string[]): Language {
  const known = preferred.map((name) => {
    const spoken = name.toLowerCase().split('-')[0];
    return LANGUAGES.find((each) => each.toLowerCase().split('-')[0] === spoken);
  });
  return known.find((each) => each !== undefined) ?? 'en';
}
