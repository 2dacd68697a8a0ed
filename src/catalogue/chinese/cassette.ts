import type { Catalogue } from '../words.js';

/** Sentences in Chinese about the differences between a played conversation and its recording. */
export const chineseCassette: Catalogue['cassette'] = {
  otherMember: (turn, before, now) => `${turn}：录制时轮到 ${before}，现在轮到 ${now}。其余部分未回放。`,
  notRecorded: (turn, member) => `${turn}：现在轮到 ${member}，录制内容中没有这一轮。其余部分未回放。`,
  neverAsked: (turn, member) => `${turn}：不再轮到 ${member}。`,
  prompt: (member, turns) => `${member} 的提示词有变化（${turns.join('、')}）：`,
  promptTooLong: (before, now, line) =>
    `  录制时 ${before} 行，现在 ${now} 行，从第 ${line} 行开始不同。查看：huddle why --prompt`,
  promptUnknown: '  录制时的提示词由另一个版本的 Huddle 生成，无法再次显示。',
  hunk: (before, now) => `  @@ 第 ${before} 行，现为第 ${now} 行 @@`,
  setting: (place, field, before, now) => `${place}：${field} 原为 ${before}，现为 ${now}。`,
  ofTeam: '团队',
  ofTurn: (member, turn) => `${member}，${turn}`,
  notSet: '未设置',
  memberGone: (name) => `${name} 已不在团队中。`,
  memberNew: (name) => `${name} 是团队的新成员。`,
  permission: (turn, member, what, before, now) =>
    `${turn}：${member} 的权限请求（${what}）原为${before}，现为${now}。`,
  askedPerson: '询问人',
  noDecision: '未决定',
  onlyRecorded: (fact) => `仅在录制内容中：${fact}`,
  onlyNow: (fact) => `不在录制内容中：${fact}`,
  fact: (fact, field, before, now) => `${fact}：${field} 原为 ${before}，现为 ${now}。`,
  differs: (count) => `与录制内容有 ${count} 处不同。`,
  same: (turns) => `已回放 ${turns} 轮，与录制内容没有不同。`,
  notes: (count) => `提示词和设置有 ${count} 处不同，不计入（--match order）：`,
  otherMessage: (number, file) => `第 ${number} 条消息与 ${file} 中的不同。不带消息运行，即使用录制的消息。`,
  tooManyMessages: (given, recorded, file) =>
    `给了 ${given} 条消息，${file} 中有 ${recorded} 条。不带消息运行，即使用录制的消息。`,
  noTeamFile: '回放录制文件需要团队文件。在团队所在的目录运行，或加上 --team FILE。',
};
