import type { Catalogue } from '../words.js';

/** Sentences of the part of `huddle web` that holds conversations, in Chinese. */
export const chineseWebLive: Catalogue['webLive'] = {
  reload: '页面落后于该会话太多。刷新页面。',
  tooManyStreams: (most) => `打开的页面过多：最多 ${most} 个。关闭其中一些。`,
  otherFolder: (id) => `会话 ${id} 属于另一个目录，在这里只能查看。`,
  toContinueThere: (sentence, command) => `${sentence}要继续它：${command}`,
  applyWhat: '指定要应用的轮次，例如 turn-6。',
  noDemo: '这里没有演示。',
};
