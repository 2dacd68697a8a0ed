import { foldName } from '../../../utils/foldName.js';

/** A name that is being typed after `@`. */
export interface TypedMention {
  /** The place of its `@`. */
  readonly start: number;
  readonly typed: string;
}

/** At the start of a word, or after a script that has no spaces. */
const MENTION = /(?:^|[\s\P{ASCII}])([@＠])([^\s@＠"]*)$/u;

/** Finds the mention that ends at the caret; none in the middle of a word, whose rest would be left over. */
export function findMention(text: string, caret: number): TypedMention | undefined {
  if (/^\S/u.test(text.slice(caret))) return undefined;
  const typed = MENTION.exec(text.slice(0, caret))?.[2];
  return typed === undefined ? undefined : { start: caret - typed.length - 1, typed };
}

/** The names that a mention may become. A name that is whole needs no menu, which would take the Enter that sends it. */
export function offerNames(names: readonly string[], { typed }: TypedMention): readonly string[] {
  const wanted = foldName(typed);
  const offered = names.filter((name) => foldName(name).startsWith(wanted));
  return offered.some((name) => foldName(name) === wanted) ? [] : offered;
}

/** The text with a name in the place of what was typed of it, and the caret after it. */
export function completeMention(
  text: string,
  { start, typed }: TypedMention,
  name: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(start + 1 + typed.length);
  const before = `${text.slice(0, start)}@${name}`;
  return { text: `${before}${/^\s/u.test(rest) ? '' : ' '}${rest}`, caret: before.length + 1 };
}
