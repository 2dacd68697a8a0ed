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
  leftOut: (names) => `只读模式：以下成员无法限制为只读，不会询问：${names.join('、')}。`,
  toDo: (command) => `执行：\`${command}\``,
  toOpenFork: (id) => `在编辑器的会话列表中打开它，或在终端运行：huddle resume ${id}`,
  hints: {
    next: '名字：消息',
    task: '团队要做的事',
    why: '轮次编号，默认最后一轮；"3 prompt" 看原文',
    diff: '轮次、4..7、new、all；默认最近一轮',
    undo: '轮次；确认时在后面加 yes',
    apply: '轮次；确认时在后面加 yes',
  },
  commands: {
    next: '交给成员，或显示接下来是谁',
    task: '设置或显示团队任务',
    continue: '暂停或到达上限后继续',
    retry: '重跑没有完成的轮次',
    why: '显示发给智能体的内容和原因',
    cost: '按成员显示 token 和花费',
    members: '显示团队成员',
    diff: '显示一轮改了什么',
    undo: '撤销一轮的文件改动',
    apply: '应用一轮在副本中的改动',
    fork: '复制本会话，在副本中继续',
  },
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

/** Words of a conversation as editors show it, in Chinese. */
export const chineseAcpView: Catalogue['acpView'] = {
  startsAgain: '（重新开始）',
  allowOnce: '允许一次',
  deny: '拒绝',
  toContinue: '发送 /continue 继续，或发送新消息。',
  afterReader: '先用 /diff 查看改动，再发送 /continue。',
};
