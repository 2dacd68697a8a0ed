import type { Telling } from '../../../presentation/Telling.js';

/** The telling as it is sent: the answers that are counted may be as many as there are messages, and only counts are shown. */
export function tellingToSend(telling: Telling): Telling {
  const { conversation } = telling;
  const { counters } = conversation;
  const answers = { ...counters.answers, root: null };
  return { ...telling, conversation: { ...conversation, counters: { ...counters, answers } } };
}
