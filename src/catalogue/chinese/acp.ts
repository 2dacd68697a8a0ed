import type { Catalogue } from '../words.js';

/** Sentences of `huddle acp`, in Chinese. */
export const chineseAcp: Catalogue['acp'] = {
  onTerminal: '这个命令供编辑器使用，通过标准输入输出通信。配置方法见 docs/editors.md',
  relativeFolder: (folder) => `会话的目录要写绝对路径，${folder} 不是。`,
  unknownSession: (id) => `这里没有打开会话 "${id}"。先加载或恢复它。`,
  badCursor: '这个游标不是前一页给出的。从头列出。',
  unknownOption: (id, known) => `没有选项 "${id}"。可用的选项：${known.join('、')}。`,
  unknownValue: (value, id, known) => `"${value}" 不是 ${id} 的值。可用的值：${known.join('、')}。`,
  blank: '提示词为空。',
  tooLong: (most) => `提示词太长：最多 ${most}。什么都没有发送。`,
  tooMany: (most) => `附件太多：最多 ${most} 个。什么都没有发送。`,
  tooLarge: (name, most) => `${name} 太大：最多 ${most}。什么都没有发送。`,
  options: {
    ask: {
      name: '询问',
      description: '没有指名的消息由谁回复',
      automatic: { name: '自动', description: '最后发言的智能体，还没有人发言时是第一个' },
      everyone: { name: '所有人', description: '团队的全部智能体' },
    },
    mode: {
      name: '模式',
      description: '智能体可以做什么',
      values: {
        team: { name: '按团队文件', description: '每个智能体用自己的权限' },
        read: { name: '只读', description: '智能体不改文件；无法限制为只读的不询问' },
      },
    },
    fanout: {
      name: '多个收件人',
      description: '各自能看到别人的哪些回复',
      values: {
        sequential: { name: '依次', description: '每个都看到前面的回复' },
        'same-question': { name: '同一问题', description: '都回复同一个问题' },
        blind: { name: '盲答', description: '同时回复，互相看不到' },
      },
    },
  },
};
