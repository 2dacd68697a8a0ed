import type { Catalogue } from '../words.js';

/** Words of `huddle run --on` in Chinese. */
export const chineseFleet: Catalogue['fleet'] = {
  needsOn: (option) => `${option} 需要 --on ROLE。`,
  needsTeam: '--on 需要 --team NAME：工作节点文件中的团队名。',
  needsStore: '--on 需要共享存储。加上 --store NAME。',
  badSubject: (subject) => `--subject 是 ${JSON.stringify(subject)}。用 1 到 200 个字母、数字和 _ . / # -。`,
  waiting: (role) => `等待 ${role} 的工作节点……`,
  withdrawn: '请求已撤回。没有运行任何内容。',
  stopping: '正在停止运行中的轮次……',
  saved: (id, huddle) => `已保存为 ${id}。继续：${huddle} resume ${id}`,
  news: {
    begun: (id) => `持有 ${id}`,
    resumed: (id) => `继续 ${id}`,
    ended: (id) => `${id} 已结束`,
    'given-back': (id) => `已交还 ${id}`,
    refused: (id, why) => `已拒绝 ${id}：${why}`,
  },
};
