import type { Catalogue } from '../words.js';

/** Sentences in Chinese of the plan of an undo or apply. */
export const chineseFilePlan: Catalogue['filePlan'] = {
  undo: (what, names, files) =>
    `${what}${names === '' ? ' ' : `（${names}）`}改动了 ${files} 个文件。撤销将：`,
  undoInCopy: (what, names, files, member) =>
    `${what}${names === '' ? ' ' : `（${names}）`}在 ${member} 的副本中改动了 ${files} 个文件。撤销将在该副本中：`,
  apply: (what, names, files) =>
    `${what}${names === '' ? ' ' : `（${names}）`}在副本中改动了 ${files} 个文件。应用将在本目录中：`,
  undoActions: { write: '还原', merge: '合并', remove: '删除', none: '不变' },
  applyActions: { write: '写入', merge: '合并', remove: '删除', none: '不变' },
  keeps: (name) => `保留 ${name} 后来在其他行的改动`,
  keepsOthers: '保留后来在其他行的改动',
  notNamed: (name) => `${name} 未提到该文件`,
  more: (count, command) => `…还有 ${count} 个：${command}`,
  commitsStay: (before, after, branch) =>
    `${branch && `${branch} 上的`}提交 ${before}..${after} 会保留。移回分支而不改动文件：`,
  branchStays: (before, after) => `分支仍是 ${after}，之前是 ${before}。移回而不改动文件：`,
};
