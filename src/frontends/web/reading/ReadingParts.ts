import type { Language } from '../../../models/Language.js';
import type { ReadEvents } from './ReadingQuestion.js';

/** The half of the thread that knows where conversations are saved. */
export interface ReadingParts {
  /** Works with the log of a saved conversation. Rejects with `UNKNOWN_CONVERSATION`. */
  withLog<Value>(conversationId: string, work: (read: ReadEvents) => Promise<Value>): Promise<Value>;
  /** Chooses the language of every sentence made from now on. */
  speakLanguage(language: Language): Promise<void>;
}
