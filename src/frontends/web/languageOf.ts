import { english } from '../../catalogue/english.js';
import { type Catalogue, words } from '../../catalogue/words.js';
import { LANGUAGES } from '../../models/Language.js';

/** The sentences that a request asks for by its `Accept-Language`: those of the process unless its first name is one of ours. */
export async function catalogueOf(accepted: string | undefined): Promise<Catalogue> {
  const [first = ''] = (accepted ?? '').split(/[,;]/u);
  switch (LANGUAGES.find((language) => language === first.trim())) {
    case 'en':
      return english;
    case 'zh-CN':
      return (await import('../../catalogue/chinese.js')).chinese;
    default:
      return words;
  }
}
