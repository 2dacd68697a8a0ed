import type { Catalogue } from '../words.js';

/** Ways to put names, facts and sentences together in Chinese. */
export const chineseJoining: Catalogue['joining'] = {
  list: (items) => items.join('、'),
  facts: (facts) => facts.join('，'),
  described: (name, facts) => `${name}（${facts.join('，')}）`,
  labelled: (label, text) => `${label}：${text}`,
  heading: (text) => `${text}：`,
  sentence: (text) => `${text}。`,
  sentences: (parts) => {
    const said = parts.filter((part) => part !== '');
    return said.reduce((before, part) => `${before}${chooseGap(before)}${part}`);
  },
};

/** Full-width punctuation brings its own room, a sentence in English needs some, and a command has no end of its own. */
function chooseGap(before: string): string {
  if (/[。？：；，）]$/u.test(before)) return '';
  return /[.!?]$/u.test(before) ? ' ' : '；';
}

/** `max、sarah`, and of two `max 和 sarah`. */
export function listTogether(names: readonly string[]): string {
  return names.length === 2 ? names.join(' 和 ') : names.join('、');
}
