import type { MemberId } from '../../models/ids.js';
import { truncateToBytes } from '../../utils/bytes.js';
import { formatNumber } from '../../utils/formatNumber.js';
import type { Catalogue } from '../words.js';
import { chineseCompanyNotices } from './company.js';
import { chineseFileNotices } from './fileNotices.js';
import { chineseWorkerNotices } from './workers.js';

type ShownRetry = Parameters<Catalogue['telling']['retrying']>[0];

/** Words in Chinese for what happens in a conversation. */
export const chineseTelling: Catalogue['telling'] = {
  human: '人类',
  agent: '智能体',
  kinds: { acp: 'ACP 智能体', command: '命令' },
  unsandboxed: '无沙箱',
  permissions: { read: '只读', edit: '可编辑文件', full: '完全访问（无沙箱）' },
  via: (program) => `通过 ${program}`,
  onMachine: (role) => `在 ${role} 的机器上`,
  notHeld: '以你的身份运行（无沙箱）',
  shouldAsk: {
    read: '写入前应先询问，以你的身份运行（无沙箱）',
    edit: '可编辑文件，其他操作应先询问，以你的身份运行（无沙箱）',
  },
  check: '检查',
  ownCopy: '在副本中工作',
  forkedFrom: (from, messageId) =>
    messageId === undefined ? `从 ${from} 分叉。` : `从 ${from} 分叉，在 ${messageId} 之后。`,
  task: '团队任务',
  taskCleared: '已清除',
  outcomes: {
    completed: '回复为空',
    failed: '失败',
    cancelled: '已停止',
    'timed-out': '超时',
    interrupted: '已中断',
  },
  doing: {
    thinking: (name) => `${name} 思考中`,
    replying: (name) => `${name} 回复中`,
    running: (name, tool) => `${name} 正在运行 ${tool}`,
    retrying: (name) => `${name} 重试中`,
    waiting: (name, tool) => `${name} 待批准：${tool}`,
  },
  fileChange: { add: '新建', update: '改动', delete: '删除' },
  changedFile: (name, change, path) => `${name} ${change}了 ${path}`,
  retrying: (retry) => `正在重试${describeRetry(retry)}`,
  memberRetrying: (name, retry) => `${name} 正在重试${describeRetry(retry)}`,
  pauses: {
    asked: '你已暂停对话。',
    reader: '已暂停：只读成员运行期间有文件改动。',
    reopened: '已暂停：上次关闭时还有轮次在排队。',
    cancelled: '已暂停：本轮已停止。',
  },
  pausedAt: (limit, reached) => `已达上限，对话暂停：${limit}${reached && `（实际 ${reached}）`}。`,
  stopped: (name) => `${name} 已停止`,
  noOutput: (name, duration) => `${name}：${duration} 没有输出`,
  interrupted: (name, worker) =>
    worker === undefined
      ? `Huddle 退出时 ${name} 的一轮尚未完成`
      : `${name} 的一轮已中断：${worker} 上的工作节点已离线`,
  timeLimits: {
    idle: (name, duration) => `${name}：${duration}没有输出`,
    total: (name, duration) => `${name}：${duration}仍未完成`,
    progress: (name, duration) => `${name}：${duration}内一直在重试`,
  },
  sendAgain: '可以重试。',
  timeLimitHints: {
    idle: '重试，或调高团队文件的 limits.idleMinutes。',
    total: '一次少问一些，或调高团队文件的 limits.turnMinutes。',
    progress: '服务没有响应。稍后再试。',
  },
  draft: '草稿，未送出',
  durations: {
    seconds: (seconds) => `${seconds} 秒`,
    minutes: (minutes, seconds) => `${minutes} 分 ${seconds} 秒`,
    hours: (hours, minutes) => `${hours} 小时 ${minutes} 分`,
    short: {
      seconds: (seconds) => `${seconds}s`,
      minutes: (minutes, seconds) => `${minutes}m${seconds}s`,
      hours: (hours, minutes) => `${hours}h${minutes}m`,
    },
  },
  ago: {
    justNow: '刚刚',
    minutes: (minutes) => `${minutes} 分钟前`,
    hours: (hours) => `${hours} 小时前`,
  },
  failed: (name, command, what) =>
    command === undefined ? `${name}：${what}` : `${name}（${command}）：${what}`,
  money: (amount) => `$${amount}`,
  tokens: (count) => `${count} token`,
  usage: (input, output) => `输入 ${formatNumber(input)} token，输出 ${formatNumber(output)}`,
  usageAndCost: (usage, cost) => `${usage}，${cost}`,
  estimated: (money) => `${money}（估算）`,
  unpriced: '单价未知',
};

function describeRetry({ message, attempt, maxAttempts, wait }: ShownRetry): string {
  const details = [
    ...(attempt === undefined
      ? []
      : [`第 ${attempt}${maxAttempts === undefined ? '' : `/${maxAttempts}`} 次`]),
    ...(wait === undefined ? [] : [`${wait}后`]),
  ].join('，');
  return `${message && `：${message}`}${details && `（${details}）`}`;
}

const NAME_BYTES = 60;

/** A sentence in Chinese for every notice. */
export const chineseNotices: Catalogue['notices'] = {
  'unknown-addressee': ({ unknown, more = 0 }) => {
    const [first, ...others] = unknown;
    if (first !== undefined && others.length === 0 && more === 0) {
      const nearest = first.nearest === undefined ? '' : `是不是 ${first.nearest}？`;
      return `没有名为 ${quote(first.name)} 的成员。${nearest}`;
    }
    const names = unknown.map(({ name, nearest }) =>
      nearest === undefined ? quote(name) : `${quote(name)}（是不是 ${nearest}？）`,
    );
    return `没有这些成员：${names.join('、')}${more > 0 ? `，还有 ${more} 个` : ''}。`;
  },
  'self-addressed': ({ memberId }, nameOf) => `${nameOf(memberId)} 把发言权交给了自己，已忽略。`,
  'too-many-addressees': ({ max, memberIds }, nameOf) =>
    `收件人有 ${max + memberIds.length} 个，上限是 ${max} 个；已跳过：${list(memberIds, nameOf)}。`,
  'queue-full': ({ max, memberIds }, nameOf) => `队列已满（${max} 轮），未排入：${list(memberIds, nameOf)}。`,
  'marker-in-open-fence': () => '标记未生效：前面的代码块没有闭合。',
  'claimed-from': ({ memberId, claimed }, nameOf) =>
    `${nameOf(memberId)} 自称 "${claimed}"，仍按 ${nameOf(memberId)} 处理。`,
  'task-from-agent': ({ memberId }, nameOf) => `已忽略 ${nameOf(memberId)} 设定的团队任务：只有人可以设定。`,
  'no-agent': () => '没有可以回复的智能体。',
  'empty-reply': ({ memberId }, nameOf) => `${nameOf(memberId)} 的回复为空。`,
  'usage-unknown': ({ memberId }, nameOf) =>
    `${nameOf(memberId)} 报告的用量不可能正确。Huddle 不采用这些数字，因此 limits.tokens 和 limits.usd 可能漏计这一轮。`,
  'prompt-trimmed': ({ memberId, cutBytes }, nameOf) =>
    `消息超出 ${nameOf(memberId)} 的字节预算，已截断末尾 ${cutBytes} 字节。`,
  'session-lost': ({ memberId, because }, nameOf) =>
    because === 'refused'
      ? `${nameOf(memberId)} 无法继续自己的会话，已改为在新会话中发送完整提示词。`
      : `${nameOf(memberId)} 中途断开，不清楚它自己的会话保留了多少；下一轮会在新会话中发送完整提示词。`,
  'session-not-forked': ({ memberId }, nameOf) =>
    `${nameOf(memberId)} 开始新会话：这是副本，之前的会话属于原件。会发送完整提示词。`,
  'turn-interrupted': ({ memberId }, nameOf) =>
    `Huddle 退出时 ${nameOf(memberId)} 的一轮尚未完成，没有自动重试，可以手动重试。`,
  'members-gone': ({ memberIds }, nameOf) =>
    `已从队列中移除，这些成员已不在团队中：${list(memberIds, nameOf)}。`,
  'lease-taken-over': ({ pid, host, continuedBy }) =>
    `对话原来在 ${host} 的进程 ${pid} 中打开，该进程已不存在；${
      continuedBy === undefined ? '在此' : `由 ${continuedBy} `
    }继续。`,
  'wish-refused': chineseCompanyNotices['wish-refused'],
  'unproven-speaker': (notice, nameOf) =>
    chineseCompanyNotices['unproven-speaker'](notice, nameOf(notice.memberId)),
  'left-out': chineseCompanyNotices['left-out'],
  ...chineseFileNotices,
  ...chineseWorkerNotices,
};

function quote(name: string): string {
  const short = truncateToBytes(name, NAME_BYTES);
  return `"${short}${short === name ? '' : '…'}"`;
}

function list(memberIds: readonly MemberId[], nameOf: (memberId: MemberId) => string): string {
  return memberIds.map((memberId) => nameOf(memberId)).join('、');
}
