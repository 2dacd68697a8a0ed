import { LANGUAGES, type Language } from '../../../../models/Language.js';

/** The first language of a list that is known, whatever its region; English if there is none. */
export function pickLanguage(preferred: readonly string[]): Language {
  const known = preferred.map((name) => {
    const spoken = name.toLowerCase().split('-')[0];
    return LANGUAGES.find((each) => each.toLowerCase().split('-')[0] === spoken);
  });
  return known.find((each) => each !== undefined) ?? 'en';
}
