import type { Notice } from '../../models/ConversationEvent.js';
import type { NotRecorded } from '../../models/FileChange.js';
import type { MemberId } from '../../models/ids.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

type NameOf = (memberId: MemberId) => string;

/** A sentence for every notice about files. */
export const fileNoticeText = {
  'files-not-recorded': ({ reason, detail = '' }: NoticeOf<'files-not-recorded'>) =>
    notRecordedText[reason](sanitizeToOneLine(detail)),
  'reader-changed-files': (
    { memberId, paths, more, isReported }: NoticeOf<'reader-changed-files'>,
    nameOf: NameOf,
  ) =>
    isReported
      ? `${nameOf(memberId)} (read-only) changed ${listPaths(paths, more)}.`
      : `${listPaths(paths, more)} changed during the turn of ${nameOf(memberId)} (read-only); it may have been you.`,
  'git-files-changed': ({ turnIds, paths, more, isGone }: NoticeOf<'git-files-changed'>) =>
    isGone
      ? `The git repository of this folder was deleted during ${turnIds.join(', ')}. Huddle can put files back, but not the repository.`
      : `Git hooks or config changed during ${turnIds.join(', ')}: ${listPaths(paths, more)}. Look at them before you run git.`,
  'file-collision': ({ path, memberIds }: NoticeOf<'file-collision'>, nameOf: NameOf) =>
    `${memberIds.map(nameOf).join(' and ')} are changing ${sanitizeToOneLine(path)} at the same time.`,
  'folder-shared': ({ turn, pid }: NoticeOf<'folder-shared'>) =>
    `${sanitizeToOneLine(turn)} (process ${pid}) is running in this folder too. Changes of files may be mixed up.`,
  'copy-behind': ({ memberId, paths, more }: NoticeOf<'copy-behind'>, nameOf: NameOf) =>
    `The copy of ${nameOf(memberId)} is behind the folder in ${listPaths(paths, more)}: both changed the same lines.`,
};

/** The sentence for each reason why changes of files are not recorded; `detail` has the words of git or of the system. */
const notRecordedText: Readonly<Record<NotRecorded, (detail: string) => string>> = {
  'no-git': () => 'File changes are not recorded: git is not installed. Install git 2.34 or newer.',
  'old-git': (version) => `File changes are not recorded: needs git 2.34 or newer, found ${version}.`,
  'wide-folder': () =>
    'File changes are not recorded in the home folder or above it. Start Huddle in the folder of a project.',
  'too-many-files': () =>
    'File changes are not recorded: over 200,000 files are not ignored here. Add the generated ones to .gitignore.',
  'too-much-content': () =>
    'File changes are not recorded: over 2 GB of files are not ignored here. Add the large ones to .gitignore.',
  'too-slow': () =>
    'File changes are no longer recorded: looking at this folder took too long three times. Set files.record to false to keep it off.',
  stopped: () => 'File changes are not recorded in this session: you stopped the first look at the folder.',
  'no-room': () =>
    'Contents of changed files are no longer kept, so they cannot be undone: 2 GB are kept already. Delete old sessions: huddle delete',
  'disk-full': (detail) => `File changes of this turn were not recorded: the disk is full${because(detail)}.`,
  failed: (detail) => `File changes of this turn were not recorded: git failed${because(detail)}.`,
};

type NoticeOf<Code> = Extract<Notice, { code: Code }>;

function because(detail: string): string {
  return detail === '' ? '' : ` (${detail})`;
}

function listPaths(paths: readonly string[], more = 0): string {
  const names = paths.map(sanitizeToOneLine).join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}
