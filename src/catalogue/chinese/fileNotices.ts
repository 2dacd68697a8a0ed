import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { fileNoticeText } from '../english/fileNotices.js';
import { nameTurn } from './nameTurn.js';
import { chineseNotRecorded } from './notRecorded.js';

/** A sentence in Chinese for every notice about files. */
export const chineseFileNotices: typeof fileNoticeText = {
  'files-not-recorded': ({ reason, detail = '' }) => chineseNotRecorded[reason](sanitizeToOneLine(detail)),
  'reader-changed-files': ({ memberId, paths, more, isReported }, nameOf) =>
    isReported
      ? `${nameOf(memberId)}（只读）改动了 ${listPaths(paths, more)}。`
      : `${nameOf(memberId)}（只读）运行期间 ${listPaths(paths, more)} 有改动，也可能是你改的。`,
  'git-files-changed': ({ turnIds, paths, more, isGone }) =>
    isGone
      ? `${turnIds.join('、')} 运行期间，本目录的 git 仓库已删除。Huddle 可以撤销文件改动，但不能还原仓库和只在其中的内容。`
      : `${turnIds.join('、')} 改动了 git 钩子或配置：${listPaths(paths, more)}。先查看，再运行 git。`,
  'file-collision': ({ path, memberIds }, nameOf) =>
    `${memberIds.map(nameOf).join('、')} 正在同时改动 ${sanitizeToOneLine(path)}。`,
  'folder-shared': ({ turn, pid }) =>
    `${nameTurn(sanitizeToOneLine(turn))}（进程 ${pid}）也在本目录运行，文件改动可能会混在一起。`,
  'copy-behind': ({ memberId, paths, more }, nameOf) =>
    `${nameOf(memberId)} 的副本落后于本目录：${listPaths(paths, more)}，两边改动了相同的行。`,
};

function listPaths(paths: readonly string[], more = 0): string {
  const names = paths.map(sanitizeToOneLine).join('、');
  return more > 0 ? `${names}，还有 ${more} 个文件` : names;
}
