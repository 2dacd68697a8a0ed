import type { Catalogue } from '../words.js';
import { listTogether } from './joining.js';
import { chineseTelling } from './telling.js';

/** Sentences of a printed conversation, in Chinese. */
export const chinesePrint: Catalogue['print'] = {
  team: (members) => `团队：${members.join('、')}。`,
  startsAgain: '[智能体重新开始回复]',
  working: (doing, duration) => `${doing} · ${duration} · Ctrl-C 停止`,
  promptFor: (name, bytes) => `发给 ${name} 的提示词：${bytes} 字节`,
  systemPrompt: '系统提示词：',
  asPrompt: '提示词：',
  tool: (name, tool, input) => `${chineseTelling.doing.running(name, tool)}${input && `：${input}`}`,
  ranTool: (name, tool, input) => `${name} 运行了 ${tool}${input && `：${input}`}`,
  toolFailed: (name, tool, result) => `${name}：${tool} 失败${result && `：${result}`}`,
  plan: (name, done, all) => `${name} 的计划：已完成 ${done}/${all}`,
  permissionRequest: (name, request) => `${name} 请求权限：${request}`,
  trouble: (what, draftCharacters, hint) =>
    `${what}；${draftCharacters === 0 ? '没有收到回复' : `草稿已保留（${draftCharacters} 个字符），未送出`}。${hint}`,
  toContinue: {
    agentTurns: '要继续，加大 --max-turns 后重新运行，或调高团队文件的 limits.agentTurns。',
    pairTurns: '要继续，调高团队文件的 limits.pairTurns 后重新运行。',
    sameAnswer: '回答在重复：换个问题，或调高团队文件的 limits.sameAnswer。',
    checkRounds: '检查一直失败：查看原因，或调高团队文件的 limits.checkRounds。',
    tokens: '要提高上限，调高团队文件的 limits.tokens 后重新运行。',
    usd: '要提高上限，加大 --max-usd 后重新运行，或调高团队文件的 limits.usd。',
  },
  toResume: (id) => `要继续：huddle resume ${id}`,
  afterReader: '先用 huddle diff 查看改动，再继续。',
  noRecipient: '没有指定智能体。用 @name 或 [NEXT: name] 指定。',
  notRun: (names) => `已跳过：${names.join('、')}。`,
  waiting: (names) => `等待 ${listTogether(names)} 回复。`,
  turns: (turns, duration) => `${turns} 轮，${duration}`,
  unpriced: (what) => `没有单价：${what.join('、')}`,
  nothingSpent: '试跑，不花钱',
  played: '播放，不花钱',
};
