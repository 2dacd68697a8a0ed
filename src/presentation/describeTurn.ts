import { describeDecision, describeTrouble } from '../catalogue/tellings.js';
import { words as spoken, type WordsOf } from '../catalogue/words.js';
import type { PermissionRecord, ToldTurn } from './Block.js';

/** The failure of a turn and what to do about it; nothing if it only stopped. */
export function faultOf(
  { member, result }: ToldTurn,
  words: WordsOf<'joining' | 'telling' | 'failures'> = spoken,
): readonly string[] {
  if (result.kind !== 'failed' && result.kind !== 'timed-out') return [];
  const { what, hint } = describeTrouble(member.name, result, words);
  return [words.joining.sentence(what), hint];
}

/** The part that arrived of an answer that was not completed. */
export function draftOf({ result }: ToldTurn): string {
  return result.kind === 'completed' ? '' : result.draft;
}

/** Describes what came of a permission request. */
export function describeRecord(
  { decision, by, person = '', allowEntry }: PermissionRecord,
  words: WordsOf<'decisions'> = spoken,
): string {
  if (decision === undefined || by === undefined) return words.decisions.cancelled;
  return describeDecision({ decision, by, person, allowEntry }, words);
}
