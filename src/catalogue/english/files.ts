import { counted } from '../counted.js';

/** Sentences of `huddle diff`, `undo`, `apply` and `commit`, and of their commands in the terminal. */
export const filesText = {
  noChanges: (what: string) => (['', 'new', 'all'].includes(what) ? 'No changes.' : `No changes in ${what}.`),
  /** Files that are in no patch: named like secrets, or too large. */
  notInDiff: (paths: readonly string[]) => `Not in the diff: ${paths.join(', ')}`,
  unlisted: (count: string) => `Not listed: ${counted(count, 'more file')}; too many changed at once.`,
  cut: (what: string) => `The diff of ${what} is cut; the rest was not saved.`,
  inCopies: (names: readonly string[]) =>
    `Not shown, since they are in copies: ${names.join(', ')}. To see one: huddle diff ${names[0]}`,
  stat: (files: number, added: number, removed: number) =>
    [
      `${counted(files, 'file')} changed`,
      ...(added > 0 ? [counted(added, 'insertion(+)', 'insertions(+)')] : []),
      ...(removed > 0 ? [counted(removed, 'deletion(-)', 'deletions(-)')] : []),
    ].join(', '),
  binary: 'binary',
  notShown: 'not shown',
  ask: { undo: 'Undo? [y/N]', apply: 'Apply? [y/N]' },
  /** Shown beside the editor while a question waits. */
  askHint: { undo: 'y undo · n cancel', apply: 'y apply · n cancel' },
  unasked: {
    undo: (what: string) => `Can't ask here (no terminal). Add --yes to undo ${what}.`,
    apply: (what: string) => `Can't ask here (no terminal). Add --yes to apply ${what}.`,
  },
  declined: { undo: 'Not undone.', apply: 'Not applied.' },
  dryRun: 'Dry run: nothing was touched.',
  undone: (what: string, files: number, redo: string) =>
    `Undone: ${what} (${counted(files, 'file')}). To redo: ${redo}`,
  applied: (what: string, files: number, undo: string) =>
    `Applied: ${what} (${counted(files, 'file')}). To undo: ${undo}`,
  finishesFirst:
    'Files are being moved; this is finished first. Ctrl-C again stops at once; the same command then finishes it.',
  toRedo: (command: string) => `To redo: ${command}`,
  toUndo: (command: string) => `To undo: ${command}`,
  moreLines: (count: number, command: string) => `… ${counted(count, 'more line')}: ${command}`,
  openElsewhere: (reason: string, command: string) => `${reason} In that terminal: ${command}`,
  notHere: (folder: string) => `The folder of this session does not exist here: ${folder}`,
  noFolder: 'The folder of this session is not known on this machine.',
  noCommitMessage: "Can't open an editor here (no terminal). Add -m with a message.",
  nothingToCommit: (what: string) => `Nothing to commit: no files of ${what} are different now.`,
  alreadyCommitted: (what: string) => `Nothing to commit: the changes of ${what} are committed already.`,
  applyWhat: 'Name the turn to apply, such as /apply 6.',
};
