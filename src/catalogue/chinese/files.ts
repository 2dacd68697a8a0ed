import type { Catalogue } from '../words.js';

/** Sentences in Chinese of `huddle diff`, `undo`, `apply` and `commit`, and of their commands in the terminal. */
export const chineseFiles: Catalogue['files'] = {
  noChanges: (what) => (['', 'new', 'all'].includes(what) ? '没有改动。' : `${what} 没有改动。`),
  notInDiff: (paths) => `未包含在 diff 中：${paths.join('、')}`,
  unlisted: (count) => `还有 ${count} 个文件未列出：一次改动的文件过多。`,
  cut: (what) => `${what} 的 diff 已截断，其余部分没有保存。`,
  inCopies: (names) => `未显示副本中的改动：${names.join('、')}。查看其中一个：huddle diff ${names[0]}`,
  stat: (files, added, removed) =>
    [
      `${files} 个文件有改动`,
      ...(added > 0 ? [`增加 ${added} 行（+）`] : []),
      ...(removed > 0 ? [`删除 ${removed} 行（-）`] : []),
    ].join('，'),
  binary: '二进制',
  notShown: '不显示',
  ask: { undo: '撤销？[y/N]', apply: '应用？[y/N]' },
  askHint: { undo: 'y 撤销 · n 取消', apply: 'y 应用 · n 取消' },
  unasked: {
    undo: (what) => `不在终端中，无法询问。要撤销 ${what}，加上 --yes。`,
    apply: (what) => `不在终端中，无法询问。要应用 ${what}，加上 --yes。`,
  },
  declined: { undo: '未撤销。', apply: '未应用。' },
  dryRun: '预览：未改动任何文件。',
  undone: (what, files, redo) => `已撤销：${what}（${files} 个文件）。重做：${redo}`,
  applied: (what, files, undo) => `已应用：${what}（${files} 个文件）。撤销：${undo}`,
  finishesFirst: '正在移动文件，会先完成。再按一次 Ctrl-C 立即停止；之后运行同一命令即可完成。',
  toRedo: (command) => `重做：${command}`,
  toUndo: (command) => `撤销：${command}`,
  moreLines: (count, command) => `…还有 ${count} 行：${command}`,
  openElsewhere: (reason, command) => `${reason}在那个终端中运行：${command}`,
  notHere: (folder) => `这里没有该会话的目录：${folder}`,
  noFolder: '本机不知道该会话的目录。',
  noCommitMessage: '不在终端中，无法打开编辑器。用 -m 给出提交说明。',
  nothingToCommit: (what) => `没有可提交的内容：${what} 的文件现在没有不同。`,
  alreadyCommitted: (what) => `没有可提交的内容：${what} 的改动都已提交。`,
  applyWhat: '指定要应用的轮次，例如 /apply 6。',
};
