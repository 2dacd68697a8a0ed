import type { Catalogue } from '../words.js';

/** Words of a conversation as editors show it, in Chinese. */
export const chineseAcpView: Catalogue['acpView'] = {
  startsAgain: '（重新开始）',
  allowOnce: '允许一次',
  deny: '拒绝',
  toContinue: '发送 /continue 继续，或发送新消息。',
  afterReader: '先用 /diff 查看改动，再发送 /continue。',
};
