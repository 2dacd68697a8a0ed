/** The words of the first prompt. Alone in their file, because the entry loads nothing else. */
export const openingEnglish = {
  status: 'opening …',
};
