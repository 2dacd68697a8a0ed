import { formatNumber } from '../../utils/formatNumber.js';
import type { Catalogue } from '../words.js';
import { chineseExit } from './failures.js';
import { listTogether } from './joining.js';

export const chineseDecisions: Catalogue['decisions'] = {
  allowed: {
    person: (name) => `${name} 已允许`,
    'team-file': '已按团队文件的列表允许',
    permission: '已按成员的权限允许',
    nobody: '已允许（无人可问）',
    size: '已允许（内容过长，无法完整显示）',
  },
  denied: {
    person: (name) => `${name} 已拒绝`,
    'team-file': '已按团队文件的列表拒绝',
    permission: '已按成员的权限拒绝',
    nobody: '已拒绝（无人可问）',
    size: '已拒绝（内容过长，无法完整显示）',
  },
  cancelled: '本轮结束前未答复',
  toAllow: (verdict, entry) => `${verdict}。如需允许："allow": [${entry}]`,
};

export const chineseWarnings: Catalogue['warnings'] = {
  'exit-after-answer': ({ command, ...exit }) => `${command}：回复之后${chineseExit(exit)}`,
  'lines-skipped': ({ command, lines }) => `${command}：有 ${lines} 行输出过长，已跳过`,
  'system-text-in-prompt': () => '该智能体的这个版本不接受单独的系统提示词，Huddle 已把它放进提示词。',
  'file-change-failed': () => '一处文件改动失败。',
  'denied-unasked': ({ entry }) =>
    `已被其 CLI 拒绝，因为它在这里无人可问。如需允许："allow": [${JSON.stringify(entry)}]`,
  'servers-not-given': ({ servers, because }) =>
    because === 'permission'
      ? `只读成员不能使用 MCP 服务器：${servers.join('、')}`
      : `该智能体无法从这里使用这些 MCP 服务器：${servers.join('、')}`,
};

export const chineseLimits: Catalogue['limits'] = {
  agentTurns: (max) => `智能体已连续发言 ${max} 轮`,
  pairTurns: (max) => `同两个智能体之间已来回 ${max} 轮`,
  sameAnswer: (max) => `同一回答已出现 ${max} 次`,
  checkRounds: (max) => `检查已连续失败 ${max} 次`,
  tokens: (max) => `已使用 ${formatNumber(max)} token`,
  usd: (max) => `已花费 ${max} 美元`,
};

export const chineseSessionStatus: Catalogue['sessionStatus'] = {
  interrupted: (turnId, name) => `${name} 的 ${turnId} 还没有输出就中断了。`,
  running: (turnId, name, { pid, host, role }) =>
    `${name} 的 ${turnId} 正在${role === undefined ? `进程 ${pid}` : ` ${role}@${host} `}${role === undefined ? ' 中' : '上'}运行。`,
  exported: (turnId, name) => `导出时 ${name} 的 ${turnId} 尚未结束。`,
  unfinished: (turnId, name) => `${name} 的 ${turnId} 没有完成。`,
  queue: (names) => `排队中：${names.join('、')}。`,
  awaited: (names) => `等待 ${listTogether(names)} 回复。`,
  nothing: '轮到你了。',
};

export const chineseCost: Catalogue['cost'] = {
  nothing: (id) => `会话 ${id} 没有用量数据。`,
  heads: {
    turn: '轮次',
    member: '成员',
    turns: '轮数',
    input: '输入',
    cached: '缓存',
    output: '输出',
    money: '花费',
    price: '单价',
    inherited: '（继承）',
    here: '（此处）',
    all: '合计',
  },
  prices: { reported: 'CLI 报告', estimated: '估算', unknown: '未知' },
  priceOf: (model, names) => `${model}（${names.join('、')}）`,
  noPrice: (what) => `没有单价：${what}。花费未计入。`,
  addPrice: (model) =>
    `设置单价（每百万 token 的美元数）：huddle config set prices.${model} <input> <output>`,
  nameModel: (names) => `在团队文件中写明 ${names.join('、')} 的 "model"，再设置该模型的单价。`,
  counts: (counts) => counts.map(([count, price]) => `${price} ${count} 轮`).join('，'),
};

export const chineseTyped: Catalogue['typed'] = {
  shellCommand: 'Huddle 不运行 shell 命令。到另一个终端运行，或让智能体去做。',
  unknownCommand: (name, nearest) =>
    `未知命令 /${name}。${nearest === undefined ? '用 /help 查看所有命令。' : `是不是 /${nearest}？`}`,
  misspelledName: (name, nearest) => `没有名为 "${name}" 的成员。是不是 @${nearest}？`,
  sendAgain: (reason) => `${reason}要原样发送，再发一次。`,
};
