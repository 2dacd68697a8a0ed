import { formatNumber } from '../../utils/formatNumber.js';
import type { Catalogue } from '../words.js';

const NAMES_SHOWN = 5;

/** Sentences of `huddle why` in Chinese. */
export const chineseWhy: Catalogue['why'] = {
  unknownTurn: (turnId, started) =>
    `本会话中没有轮次 "${turnId}"。${started.length === 0 ? '还没有开始任何一轮' : `最近的：${started.slice(-NAMES_SHOWN).reverse().join('、')}`}。`,
  unknownMember: (name, known) => `本会话当时没有智能体 "${name}"。当时的智能体：${known.join('、')}。`,
  title: (turnId, name, messageId) => `${turnId}：${messageId} 之后发给 ${name} 的提示词`,
  sent: (bytes, max, session) => `${formatNumber(bytes)} 字节（上限 ${formatNumber(max)}），${session}`,
  sessions: { new: '新的智能体会话', resume: '继续智能体会话', fork: '智能体会话的副本' },
  hash: (sha256, isExact) => `${isExact ? '已校验（按日志重建，逐字节一致）：' : ''}sha256 ${sha256}`,
  notExact: '提示词无法精确重建：由另一版本的 Huddle 生成。以下是本版本会生成的内容。',
  compared: (name) => `与同一时刻会发给 ${name} 的内容对比：`,
  cut: (bytes) => `当前消息末尾已截断 ${formatNumber(bytes)} 字节`,
  noTurnYet: '还没有开始任何一轮。',
  systemBeside: '系统提示词是单独发送的。查看：--system',
  systemInChat: (turnId) => `系统提示词是单独发送的。查看：/why ${turnId} system`,
  howToAsk: (typed) =>
    `本会话中没有轮次 "${typed}"。/why 3 查看第 3 轮的说明，/why 3 prompt 查看发送的原文。`,
  noSystemText: '没有单独发送系统提示词。',
  heads: {
    section: '部分',
    bytes: '字节',
    first: '消息',
    count: '条数',
    inclusion: '是否发送',
    all: '合计',
  },
  sections: { system: '系统', task: '任务', context: '上下文', files: '文件', message: '消息' },
  inclusions: {
    kept: '是',
    pinned: '是（触发本轮）',
    current: '是（当前消息）',
    window: '否：在窗口之外',
    budget: '否：超出字节预算',
    duplicate: '否：重复',
    seen: '否：智能体会话中已有',
    'not-addressed': '否：发给其他成员',
  },
};
