import type { HuddleError } from '../models/errors.js';
import { fileReasonOf } from '../utils/fileReason.js';
import { wordReason } from './english/reasons.js';
import { type Catalogue, speaking, words as spoken, type WordsOf } from './words.js';

/** The sentence of an error in the chosen language; the message where it was made for people already. */
export function describeError({ code, facts, message, say }: HuddleError, words: Catalogue = spoken): string {
  if (say !== undefined) return speaking(words, say);
  if (facts === undefined || !Object.hasOwn(words.errors, code)) return message;
  // The compiler does not see that the code of an error chooses the sentence that takes its facts.
  const sentence = words.errors[code as keyof typeof words.errors] as (facts: unknown) => string;
  return sentence(facts);
}

/** The reason in an error of the system: ours with the system's own word, which is all there is where we have none. */
export function describeSystemError(error: unknown, words: WordsOf<'reasons'> = spoken): string {
  return wordReason(fileReasonOf(error), words.reasons);
}
