import type { MemberId } from '../../models/ids.js';
import { truncateToBytes } from '../../utils/bytes.js';
import type { Catalogue } from '../words.js';
import { chineseCompanyNotices } from './company.js';
import { chineseFileNotices } from './fileNotices.js';
import { chineseWorkerNotices } from './workers.js';

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
