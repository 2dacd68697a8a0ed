/** Ways to put names, facts and sentences together. */
export const joiningText = {
  /** `max, sarah`. */
  list: (items: readonly string[]) => items.join(', '),
  /** Facts after each other, which may have commas in them: `turn-1, 3 s`. */
  facts: (facts: readonly string[]) => facts.join(', '),
  /** `max (Claude Code, Architect)`. */
  described: (name: string, facts: readonly string[]) => `${name} (${facts.join(', ')})`,
  /** `Members: max`. */
  labelled: (label: string, text: string) => `${label}: ${text}`,
  heading: (text: string) => `${text}:`,
  /** A sentence made of words that have no period yet. */
  sentence: (text: string) => `${text}.`,
  /** Sentences after each other; what is empty is left out. */
  sentences: (parts: readonly string[]) => parts.filter((part) => part !== '').join(' '),
};
