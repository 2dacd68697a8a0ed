import type { Catalogue } from '../words.js';

const REHEARSE = '  huddle rehearse   用模拟智能体试跑，不花钱';

/** Every sentence of `huddle init` in Chinese, and the comments of the file it writes. */
export const chineseInit: Catalogue['init'] = {
  looking: '正在查找智能体 CLI…',
  found: (names) => `已安装：${names.join('、')}。`,
  nothingFound: ['没有安装智能体 CLI，这个团队目前只能试跑。', '至少安装一个：'],
  install: (label, hint) => `  ${label.padEnd(12)} ${hint}`,
  replaced: (missing, role, agent) => `未安装 ${missing}，${role} 由 ${agent} 担任。`,
  whichPreset: '希望它们怎样配合？（↑↓ 移动，Enter 确定）',
  choice: (name, summary) => `${name.padEnd(9)}${summary}`,
  whatTask: '团队要做什么？',
  skipTask: '可选，按 Enter 跳过',
  mayTest: (names) => `${names.join('、')} 可随时运行测试，无需询问（团队文件中的 "allow"）。`,
  foundTests: (command, file) => `测试：${command}（${file}）。每一轮改动文件后自动运行。`,
  noTests:
    '没有找到测试命令，团队没有检查。要加上：添加一个成员，写上 "agentType": "command"、它的 "command" 和 "check": true',
  whichTests: '用哪个命令运行测试？',
  skipTests: '例如 npm test；按 Enter 跳过',
  taskTooLong: (bytes) => `最多 ${bytes} 字节：其余内容放进文件，在这里写上文件名。`,
  askOverwrite: (file) => `${file} 已存在。要覆盖吗？`,
  yes: '是',
  no: '否',
  exists: (file) => `${file} 已存在，没有改动。要覆盖：huddle init --force`,
  chosen: (preset, others) => `使用预设 ${preset}（其他：${others.join('、')}）`,
  nothingWritten: '没有写入任何内容。',
  cannotWrite: (file, reason) => `无法写入 ${file}：${reason}；没有改动任何内容`,
  written: (file, schema) =>
    schema === undefined ? `已创建 ${file}` : `已创建 ${file} 和 ${schema}（供编辑器使用的 schema）`,
  noLongerRead: (file) => `${file} 仍在，但不再读取。`,
  cannotTrust: (file, reason) => `已创建 ${file}，但无法保存对它的信任。${reason}然后运行：huddle trust`,
  next: ['下一步：', REHEARSE, '  huddle            与团队对话'],
  nextRehearsal: ['下一步：', REHEARSE],

  comments: {
    preset: (name, summary) => `预设 "${name}"：${summary}。`,
    hint: '可随意修改。检查：huddle team check，试跑：huddle rehearse',
    task: '每份提示词都会包含。对话中可用 [TEAM_TASK] 替换。',
    noTask: '团队要做的事',
    name: (name) => `用 [NEXT: ${name}] 交给它`,
    agentType: '或 codex、gemini；command 和 acp 需要 "command"',
    permission: 'read：只读；edit：可改动本目录的文件；full：无沙箱',
    allow: '无需询问即可运行',
    check: '每一轮改动文件后运行；失败时交回给作者',
    setup: '每个作者在目录的副本中工作。这个命令准备新的副本。',
    fanout: {
      sequential: '回复中没有 [NEXT: name] 时轮到你。同时问多个成员时，后面的能看到前面的回答。',
      'same-question': '回复中没有 [NEXT: name] 时轮到你。同时问多个成员时，都回答同一个问题。',
      blind: '回复中没有 [NEXT: name] 时轮到你。同时问多个成员时，彼此看不到回答。',
    },
    round: (recipients) =>
      recipients === 'all'
        ? '回复中没有 [NEXT: name] 时轮到你。[NEXT: all] 同时问所有成员，彼此看不到回答。'
        : `回复中没有 [NEXT: name] 时轮到你。[NEXT: ${recipients}] 同时问他们，彼此看不到回答。`,
    limits: '达到这些上限时对话暂停并询问你：智能体连续发言的轮数、美元、token。',
  },
};
