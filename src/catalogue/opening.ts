/** What is said before the rest of the program is there. By itself, because loading more would take time from the first screen. */
export const openingEnglish = {
  status: 'opening …',
};
