import type { Notice } from '../../models/ConversationEvent.js';
import type { MemberId } from '../../models/ids.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { notRecordedText } from './notRecorded.js';

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
      ? `The git repository of this folder was deleted during ${turnIds.join(', ')}. Huddle can undo file changes, but not restore the repository or contents that only it had.`
      : `Git hooks or config changed during ${turnIds.join(', ')}: ${listPaths(paths, more)}. Look at them before you run git.`,
  'file-collision': ({ path, memberIds }: NoticeOf<'file-collision'>, nameOf: NameOf) =>
    `${memberIds.map(nameOf).join(' and ')} are changing ${sanitizeToOneLine(path)} at the same time.`,
  'folder-shared': ({ turn, pid }: NoticeOf<'folder-shared'>) =>
    `${sanitizeToOneLine(turn)} (process ${pid}) is running in this folder too. Changes of files may be mixed up.`,
  'copy-behind': ({ memberId, paths, more }: NoticeOf<'copy-behind'>, nameOf: NameOf) =>
    `The copy of ${nameOf(memberId)} is behind the folder in ${listPaths(paths, more)}: both changed the same lines.`,
};

type NoticeOf<Code> = Extract<Notice, { code: Code }>;

function listPaths(paths: readonly string[], more = 0): string {
  const names = paths.map(sanitizeToOneLine).join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}
