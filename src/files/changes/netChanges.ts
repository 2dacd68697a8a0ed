import type { FileChange, FileState } from '../../models/FileChange.js';
import { type FileUnit, keyOf } from './fileHistory.js';

/**
 * Joins the changes of several units into rounds, each with a file at most once. What units did to a file one after the other
 * is one change, unless others changed it in between: then the next round begins for it. Files that end as they began are left out.
 */
export function joinChanges(units: readonly FileUnit[]): readonly (readonly FileChange[])[] {
  const chains = new Map<string, FileChange[]>();
  for (const file of units.flatMap(({ files }) => files)) {
    const chain = chains.get(keyOf(file)) ?? [];
    const last = chain.at(-1);
    if (last !== undefined && isSame(last.after, file.before)) chain.splice(-1, 1, join(last, file));
    else chain.push(file);
    chains.set(keyOf(file), chain);
  }
  const changes = [...chains.values()].map((chain) =>
    chain.filter(({ before, after }) => !isSame(before, after)),
  );
  const rounds = Math.max(0, ...changes.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => changes.flatMap((chain) => chain[round] ?? []));
}

/** Whether a file has the same content and mode at two moments, or is missing at both. */
export function isSame(one: FileState | undefined, other: FileState | undefined): boolean {
  return one?.id === other?.id && one?.mode === other?.mode;
}

/** Joins two changes into one, without the numbers of lines, which cannot be added up. */
function join({ before, ...first }: FileChange, { after, ...second }: FileChange): FileChange {
  const { path, bytes } = first;
  const change = before === undefined ? 'add' : after === undefined ? 'delete' : 'update';
  return {
    path,
    ...(bytes !== undefined && { bytes }),
    change,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...((first.isBinary || second.isBinary) && { isBinary: true }),
    ...((first.isKept === false || second.isKept === false) && { isKept: false as const }),
  };
}
