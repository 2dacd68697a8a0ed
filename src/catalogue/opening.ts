import type { Language } from '../models/Language.js';

/** The status under the first prompt. Alone in its file, because the entry loads nothing else. */
export const OPENING: Readonly<Record<Language, string>> = { en: 'opening …', 'zh-CN': '正在打开…' };
