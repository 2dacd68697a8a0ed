import { foldName } from '../../../utils/foldName.js';
import { nearest } from '../../../utils/nearest.js';

/** `@name` at the beginning or the end of a message, where people address it. Elsewhere `@word` may be anything. */
const ADDRESS =
  /^[@＠](?<first>[\p{L}\p{M}\p{N}_-]+)(?=[\s,:，：]|$)|\s[@＠](?<last>[\p{L}\p{M}\p{N}_-]+)$/gu;

/** Names that routing knows beside those of the members. */
const GROUPS = ['all', 'human'];

/** A name that a message is addressed to, and the member whose name it nearly is. */
export interface MisspelledName {
  readonly name: string;
  readonly nearest: string;
}

/** Finds a slip in the name that a message is addressed to, which would go to another agent. */
export function findMisspelledName(text: string, members: readonly string[]): MisspelledName | undefined {
  const names = [...members, ...GROUPS];
  const known = new Set(names.map(foldName));
  for (const { groups: { first, last } = {} } of text.trim().matchAll(ADDRESS)) {
    const name = first ?? last ?? '';
    const near = known.has(foldName(name)) ? undefined : nearest(name, names);
    if (near !== undefined) return { name, nearest: near };
  }
  return undefined;
}
