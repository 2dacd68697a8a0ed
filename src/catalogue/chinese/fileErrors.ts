import { formatNumber } from '../../utils/formatNumber.js';
import type { fileErrorText, LaterChange } from '../english/fileErrors.js';
import { nameTurn } from './nameTurn.js';
import { chineseNotRecorded } from './notRecorded.js';

/** The sentences in Chinese of errors about changed files. */
export const chineseFileErrors: typeof fileErrorText = {
  FILES_CHANGED_SINCE: ({ command, what, total, files, look, others }) => {
    const happened = {
      undo: `${total} 个文件中有 ${files.length} 个在 ${what} 之后改过相同的行；未改动任何文件。`,
      apply: `${total} 个文件中有 ${files.length} 个在本目录中改过与 ${what} 相同的行；未改动任何文件。`,
      commit: `${total} 个文件中有 ${files.length} 个在 ${what} 之后改过；未提交任何内容。`,
    };
    const advice = others === undefined ? '' : ` · 其余文件：${others}`;
    return [`${happened[command]}查看：${look}${advice}`, ...listLater(files)].join('\n');
  },
  FILES_NOT_RECORDED: ({ what, isRunning, isMoved, reason, detail = '' }) => {
    if (isMoved) {
      const why = reason === 'disk-full' ? '磁盘已满' : detail || 'git 失败';
      return `文件已写入，但 ${what} 尚未记录：${why}。解决后再次运行同一命令，即可补上记录。`;
    }
    if (reason === 'failed') return `git 失败${detail && `（${detail}）`}；未改动任何文件。`;
    if (reason !== undefined) return chineseNotRecorded[reason](detail);
    if (what === undefined) return '本会话没有记录文件改动。';
    return isRunning ? `${what} 仍在运行，尚未记录它的文件改动。` : `没有记录 ${what} 的文件改动。`;
  },
  CONTENT_NOT_KEPT: ({ command = 'undo', what, paths, unlisted, isImported, others }) => {
    const advice = others === undefined ? '' : `其余文件：${others}`;
    if (unlisted !== undefined)
      return `${what} 改动的文件中有 ${formatNumber(unlisted)} 个未列出，只能在 -- 之后选择已列出的文件；未改动任何文件。`;
    const done = { undo: '撤销', apply: '应用', commit: '提交' }[command];
    if (isImported) return `${what} 是导入的，不是在本机记录的，无法${done}；未改动任何文件。`;
    return `没有保存 ${paths.join('、')} 的内容，无法${done}；未改动任何文件。${advice}`;
  },
  FILES_BUSY: ({ turns }) =>
    turns.length === 0
      ? '有一轮正在运行。结束后再试；未改动任何文件。'
      : `${turns.map(nameTurn).join('、')} 正在运行。结束后再试；未改动任何文件。`,
  FILES_CHANGING: ({ paths }) => `${shorten(paths)} 刚刚有改动；未改动任何文件。再试一次。`,
  NOTHING_TO_UNDO: ({ what }) =>
    what === undefined ? '没有可撤销的改动。' : `没有可撤销的改动：文件已是 ${what} 之前的样子。`,
  NOTHING_TO_APPLY: ({ what }) => `没有可应用的改动：本目录已包含 ${what} 的改动。`,
  NOT_A_COPY: ({ what }) => `${what} 在本目录而不是副本中运行，没有可应用的改动。`,
  IN_A_COPY: ({ what }) => `${what} 在副本中运行，这里没有可提交的内容。先应用它：huddle apply ${what}`,
  UNKNOWN_CHANGE: ({ what, known = [] }) =>
    what === undefined
      ? '指定要应用的轮次，例如 turn-6。'
      : `没有名为 "${what}" 的改动。可用：一轮（4）、多轮（4..7、4..）、undo-1、apply-1、new 或 all；文件写在 -- 之后。${known.length === 0 ? '本会话没有改动文件。' : `已有的改动：${shorten(known)}。`}`,
  UNKNOWN_FILE: ({ what, path, known }) =>
    what === ''
      ? `没有任何一轮改动过 ${path}。`
      : `${what} 没有改动 ${path}。${known.length === 0 ? '它没有改动任何文件。' : `它改动了：${shorten(known)}。`}`,
  SEVERAL_COPIES: ({ members }) => `这些改动在 ${members.join('、')} 各自的副本中。指定其中一轮。`,
};

const MOST_NAMED = 12;

function shorten(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(-MOST_NAMED).join('、')}${more > 0 ? `，还有 ${more} 个` : ''}`;
}

function listLater(files: readonly LaterChange[]): readonly string[] {
  return files.map(({ path, by, unit }) =>
    by === undefined ? `  ${path}   两轮之间，由人或程序改动` : `  ${path}   ${by} 在 ${unit} 中改动`,
  );
}
