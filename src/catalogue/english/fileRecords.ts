import { counted } from '../counted.js';

/** Sentences about files that changed. */
export const fileRecordText = {
  files: (count: string) => counted(count, 'file'),
  inCopy: (name: string) => `in ${name}'s copy`,
  undid: (name: string, what: readonly string[]) => `${name} undid ${what.join(', ')}`,
  applied: (name: string, what: readonly string[]) => `${name} applied ${what.join(', ')}`,
  others: (paths: readonly string[], more: number) => `Changed between turns: ${listPaths(paths, more)}.`,
  othersInCopy: (name: string, paths: readonly string[], more: number) =>
    `Changed between turns in ${name}'s copy: ${listPaths(paths, more)}.`,
  left: (paths: readonly string[], more: number) =>
    `Left alone, since changed meanwhile: ${listPaths(paths, more)}.`,
  betweenTurns: 'between turns',
  binary: 'binary',
  notKept: 'content not kept',
  more: (count: string) => `… ${count} more`,
  moreIn: (count: string, command: string) => `… ${count} more: ${command}`,
  unlisted: 'Too many files changed at once to list them all. This cannot be undone.',
  late: 'Recorded late: changes by others may be among these.',
  overlaps: (turns: readonly string[]) =>
    `At the same time in this folder: ${turns.join(', ')}. Those changes may be among these.`,
  toApply: (command: string) => `To apply: ${command}`,
  /** Facts about the repository. */
  head: (before: string, after: string) => `git HEAD: ${before} → ${after}`,
  branch: (before: string, after: string) => `git branch: ${before} → ${after}`,
  refs: (refs: readonly string[]) => `git refs changed: ${refs.join(', ')}`,
  none: 'none',
  diff: 'Diff',
  diffIsCut: 'The diff is too long and was cut.',
  /** The first look at a folder, on a line of its own, and in a few words. */
  firstLook: (files: string) =>
    `Looking at the files of this folder for the first time: ${files} so far. Ctrl-C to stop.`,
  looking: 'looking at this folder for the first time',
  escSkips: 'Esc to skip',
};

function listPaths(paths: readonly string[], more: number): string {
  const names = paths.join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}
