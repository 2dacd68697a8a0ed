import type { NotRecorded } from '../../models/FileChange.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { fileNoticeText } from '../english/fileNotices.js';

/** A sentence in Chinese for every notice about files. */
export const chineseFileNotices: typeof fileNoticeText = {
  'files-not-recorded': ({ reason, detail = '' }) => notRecorded[reason](sanitizeToOneLine(detail)),
  'reader-changed-files': ({ memberId, paths, more, isReported }, nameOf) =>
    isReported
      ? `${nameOf(memberId)}（只读）改动了 ${listPaths(paths, more)}。`
      : `${nameOf(memberId)}（只读）运行期间 ${listPaths(paths, more)} 有改动，也可能是你改的。`,
  'git-files-changed': ({ turnIds, paths, more, isGone }) =>
    isGone
      ? `${turnIds.join('、')} 期间，本目录的 git 仓库被删除了。Huddle 能还原文件，但不能还原仓库。`
      : `${turnIds.join('、')} 改动了 git 钩子或配置：${listPaths(paths, more)}。运行 git 之前请先查看。`,
  'file-collision': ({ path, memberIds }, nameOf) =>
    `${memberIds.map(nameOf).join('、')} 正在同时改动 ${sanitizeToOneLine(path)}。`,
  'folder-shared': ({ turn, pid }) =>
    `${sanitizeToOneLine(turn)}（进程 ${pid}）也在本目录运行，文件改动可能会混在一起。`,
  'copy-behind': ({ memberId, paths, more }, nameOf) =>
    `${nameOf(memberId)} 的副本落后于本目录：${listPaths(paths, more)}，两边改动了相同的行。`,
};

const notRecorded: Readonly<Record<NotRecorded, (detail: string) => string>> = {
  'no-git': () => '未记录文件改动：没有安装 git。请安装 git 2.34 或更高版本。',
  'old-git': (version) => `未记录文件改动：需要 git 2.34 或更高版本，当前为 ${version}。`,
  'wide-folder': () => '在主目录及其上级目录中不记录文件改动。请在项目目录中启动 Huddle。',
  'too-many-files': () => '未记录文件改动：这里未忽略的文件超过 200,000 个。请把生成的文件加入 .gitignore。',
  'too-much-content': () => '未记录文件改动：这里未忽略的文件超过 2 GB。请把大文件加入 .gitignore。',
  'too-slow': () => '不再记录文件改动：查看本目录已三次超时。要一直关闭，把 files.record 设为 false。',
  stopped: () => '本会话不记录文件改动：你停止了对目录的首次查看。',
  'no-room': () => '不再保存改动前后的文件内容，因此无法撤销：已保存 2 GB。删除旧会话：huddle delete',
  'disk-full': (detail) => `未记录这一轮的文件改动：磁盘已满${because(detail)}。`,
  failed: (detail) => `未记录这一轮的文件改动：git 失败${because(detail)}。`,
};

function because(detail: string): string {
  return detail === '' ? '' : `（${detail}）`;
}

function listPaths(paths: readonly string[], more = 0): string {
  const names = paths.map(sanitizeToOneLine).join('、');
  return more > 0 ? `${names} 等 ${paths.length + more} 个文件` : names;
}
