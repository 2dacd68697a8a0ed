import { foldName } from '../utils/foldName.js';

/** `/next max, sarah: look at this`: names up to a colon or, after the last comma, a space. */
const HAND_OFF = /^([^:：,，、\s]+(?:\s*[,，、]\s*[^:：,，、\s]+)*)[:：]?\s*([\s\S]*)$/u;

/** A handoff that was typed: the message that does it, or the first name that no member has. */
export interface HandOff {
  readonly message?: string;
  readonly unknown?: string;
}

/** Reads what stands behind `/next`. */
export function readHandOff(typed: string, known: readonly string[]): HandOff {
  const [, names = '', text = ''] = HAND_OFF.exec(typed) ?? [];
  const folded = known.map(foldName);
  const unknown = names.split(/[,，、]/u).find((name) => !folded.includes(foldName(name)));
  return unknown === undefined ? { message: `[NEXT: ${names}] ${text}`.trim() } : { unknown: unknown.trim() };
}
