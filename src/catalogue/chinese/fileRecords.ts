import type { Catalogue } from '../words.js';
import { nameTurn } from './nameTurn.js';

/** Sentences in Chinese about files that changed. */
export const chineseFileRecords: Catalogue['fileRecords'] = {
  files: (count) => `${count} 个文件`,
  inCopy: (name) => `在 ${name} 的副本中`,
  undid: (name, what) => `${name} 撤销了 ${what.join('、')}`,
  applied: (name, what) => `${name} 应用了 ${what.join('、')}`,
  others: (paths, more) => `两轮之间有改动：${listPaths(paths, more)}。`,
  othersInCopy: (name, paths, more) => `两轮之间 ${name} 的副本有改动：${listPaths(paths, more)}。`,
  left: (paths, more) => `未处理，因为期间有改动：${listPaths(paths, more)}。`,
  betweenTurns: '两轮之间',
  binary: '二进制',
  notKept: '内容未保存',
  more: (count) => `…还有 ${count} 个`,
  moreIn: (count, command) => `…还有 ${count} 个：${command}`,
  unlisted: '一次改动的文件过多，未全部列出，因此无法撤销。',
  late: '补记：其中可能有他人的改动。',
  overlaps: (turns) => `同一时间本目录中还有：${turns.map(nameTurn).join('、')}。其改动可能也在其中。`,
  toApply: (command) => `应用：${command}`,
  head: (before, after) => `git HEAD：${before} → ${after}`,
  branch: (before, after) => `git 分支：${before} → ${after}`,
  refs: (refs) => `git 引用有改动：${refs.join('、')}`,
  none: '无',
  diff: '改动内容',
  diffIsCut: '改动内容过长，已截断。',
  firstLook: (files) => `首次查看本目录的文件：已看 ${files} 个。按 Ctrl-C 停止。`,
  looking: '首次查看本目录',
  escSkips: 'Esc 跳过',
};

function listPaths(paths: readonly string[], more: number): string {
  const names = paths.join('、');
  return more > 0 ? `${names}，还有 ${more} 个` : names;
}
