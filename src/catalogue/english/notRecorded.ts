/** The sentence for each reason why changes of files are not recorded; `detail` has the words of git or of the system. */
export const notRecordedText = {
  'no-git': (_: string) => 'File changes are not recorded: git is not installed. Install git 2.34 or newer.',
  'old-git': (version: string) => `File changes are not recorded: needs git 2.34 or newer, found ${version}.`,
  'wide-folder': (_: string) =>
    'File changes are not recorded in the home folder or above it. Start Huddle in the folder of a project.',
  'too-many-files': (_: string) =>
    'File changes are not recorded: over 200,000 files are not ignored here. Add the generated ones to .gitignore.',
  'too-much-content': (_: string) =>
    'File changes are not recorded: over 2 GB of files are not ignored here. Add the large ones to .gitignore.',
  'too-slow': (_: string) =>
    'File changes are no longer recorded: looking at this folder took too long three times. Set files.record to false to keep it off.',
  stopped: (_: string) =>
    'File changes are not recorded in this session: you stopped the first look at the folder.',
  'no-room': (_: string) =>
    'Contents of changed files are no longer kept, so they cannot be undone: 2 GB are kept already. Delete old sessions: huddle delete',
  'disk-full': (detail: string) =>
    `File changes of this turn were not recorded: the disk is full${because(detail)}.`,
  'irregular-file': (path: string) =>
    `File changes of this turn were not recorded: ${path} is a pipe, a device or a socket, and git would wait for it. Remove it.`,
  elsewhere: (machine: string) =>
    `File changes of turns that run on ${machine} are not recorded: they happen in its folder, not here.`,
  failed: (detail: string) => `File changes of this turn were not recorded: git failed${because(detail)}.`,
};

/** Reasons that have a sentence; the same as `NotRecorded`, which the packaged context layer must not load. */
export type WordedReason = keyof typeof notRecordedText;

function because(detail: string): string {
  return detail === '' ? '' : ` (${detail})`;
}
