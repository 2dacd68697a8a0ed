import { expect, test } from 'vitest';
import { pickLanguage } from '../../../../src/frontends/web/page/state/language.js';

test.each([
  [['zh-CN', 'en'], 'zh-CN'],
  [['zh-TW'], 'zh-CN'],
  [['de-DE', 'zh'], 'zh-CN'],
  [['en-GB', 'zh'], 'en'],
  [['de'], 'en'],
  [[], 'en'],
])('a browser that prefers %j is spoken to in %s', (preferred, language) => {
  expect(pickLanguage(preferred)).toBe(language);
});
