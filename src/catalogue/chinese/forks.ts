import type { Catalogue } from '../words.js';

/** Sentences about forks of sessions, in Chinese. */
export const chineseForks: Catalogue['forks'] = {
  forked: (id) => `已分叉：${id}`,
  copied: (from, messageId) =>
    messageId === undefined ? `已复制 ${from} 的团队，不含消息。` : `已复制 ${from}，到 ${messageId} 为止。`,
  moved: (asked) => `${asked} 处在一轮盲答中间，分叉点已移到整轮之外：整轮要么全部保留，要么全部去掉。`,
  dropped: (names) => `已从队列中去掉：${names.join('、')}。要保留，加上 --keep-queue`,
  droppedInChat: (names) => `已从队列中去掉：${names.join('、')}。`,
  toUndo: (commands) => `文件保持原样。要撤销之后的改动：${commands.join('，然后 ')}`,
  toSwitch: (id) => `切换到它：/resume ${id}`,
  exists: (reason) => `${reason}用 --id 换一个 id。`,
  empty: (id) => `会话 ${id} 还没有消息，无法分叉。`,
  nothingSaid: '还没有消息。',
  whichMessage: '指定要回到的消息：',
  rewindWith: (command) => `例如：${command}。`,
};
