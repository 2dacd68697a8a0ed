import type { Catalogue } from '../words.js';
import { chineseLogin } from './failures.js';

/** Sentences about what the command line changes for one run, in Chinese. */
export const chineseAdjust: Catalogue['adjust'] = {
  model: (name, model) => `本次运行的模型：${name} 使用 ${model}。`,
  readOnly: (names) => `本次运行只读：${names.join('、')}。`,
  notHeld: (names) => `--read-only 约束不了 ${names.join('、')}：其程序以你的身份运行（无沙箱）。`,
  noAgent: (name, near, names) =>
    `团队中没有智能体 "${name}"。${near === undefined ? `智能体：${names.join('、')}。` : `是不是 ${near}？`}`,
  whichAgent: (model, names) =>
    `团队中有多个智能体。指定一个：--model ${names[0] ?? 'member'}=${model}（智能体：${names.join('、')}）`,
  noModels: (name, label) => `${name}（${label}）不能指定模型。`,
  badModel: (entry) => `"${entry}" 没有写明模型。写成 --model member=name，例如 max=opus。`,
  noReader: (names: readonly string[]) =>
    `本团队没有可以保证只读的智能体（${names.join('、')}），因此无法提问。`,
  rehearsed: (id: string) => `会话 ${id} 是试跑，由模拟智能体回答。继续：huddle resume ${id}`,
  otherFolder: (id: string) => `会话 ${id} 属于另一个目录。查看：huddle show ${id}`,
  noFolder: (folder: string) => `没有目录 ${folder}。`,
};

/** Sentences of the user's configuration, in Chinese. */
export const chineseConfig: Catalogue['config'] = {
  invalid: (file, problems) => `${file} 有问题：\n${problems}`,
  toFix: '改正这个文件，或删掉它以使用默认值。',
  file: (file, exists) => (exists ? `配置文件：${file}` : `配置文件：${file}（尚不存在）`),
  noFile: '没有用户主目录，无法保存配置文件。把 XDG_CONFIG_HOME 设为绝对路径。',
  unknownKey: (key, nearest) =>
    nearest === undefined
      ? `未知设置 "${key}"。列出全部：huddle config`
      : `未知设置 "${key}"。是不是 ${nearest}？`,
  choices: (key, choices, value) =>
    `${key} 只能是 ${choices.map((choice) => `"${choice}"`).join(choices.length === 2 ? ' 或 ' : '、')}，不能是 "${value}"。`,
  oneValue: (key) => `${key} 只能有一个值。`,
  price: (model) => `单价是每百万 token 的美元数，例如：huddle config set prices.${model} <input> <output>`,
  set: (key, value, file) => `已在 ${file} 中把 ${key} 设为 ${value}`,
  removed: (key, file) => `已从 ${file} 中删除 ${key}`,
  notSet: (key, file) => `${file} 中没有设置 ${key}`,
  cannotWrite: (file, reason) => `无法写入 ${file}：${reason}。没有改动任何内容。`,
  teamNeedsTrust: '没有团队文件的目录都会用它，每个目录都会先问你是否信任。',
  heads: { key: '设置', value: '值', source: '来源' },
  dataFolder: '数据目录',
  none: '无',
  on: '开',
  off: '关',
  shownPrice: (input, cached, output) =>
    cached === undefined
      ? `输入 $${input}，输出 $${output}`
      : `输入 $${input}，缓存 $${cached}，输出 $${output}`,
  sources: {
    default: '默认',
    installed: '默认：本机已安装的 CLI',
    config: (file, line) => (line === undefined ? file : `${file}:${line}`),
    environment: (name) => name,
    teamFile: '团队文件',
    locale: (variable, value) => (variable === undefined ? 'locale' : `locale（${variable}=${value}）`),
  },
};

const LOGINS = { yes: '已登录', no: '未登录', unknown: '是否登录要到首轮运行后才知道' };

/** Sentences of `huddle doctor` in Chinese. */
export const chineseDoctor: Catalogue['doctor'] = {
  versions: (huddle, node, platform) => `Huddle ${huddle}，Node ${node}，${platform}`,
  found: ({ label, version, file, testedVersion, login }) =>
    `${label} ${version ?? '（版本未知）'}，位于 ${file}，测试版本 ${testedVersion}，${LOGINS[login]}`,
  available: (label, version, file) => `${label} ${version ?? '（版本未知）'} 可用，位于 ${file}`,
  older: (label, version) => `低于测试过的 ${version}。如果运行出错，更新 ${label}。`,
  noVersion: (command) => `没有报告版本。运行 \`${command} --version\` 查看原因。`,
  noAgent: '没有安装任何智能体 CLI',
  missing: (label, hint) => `未安装 ${label}（${hint}）`,
  logIn: chineseLogin,
  install: (hint) => `安装：${hint}`,
  team: (file, name, agents) => `团队文件 ${file}："${name}"，${agents} 个智能体`,
  defaultTeam: (file, name, agents) => `默认团队 ${file}："${name}"，${agents} 个智能体`,
  config: (file) => `配置文件 ${file}`,
  noConfig: (file) => (file === undefined ? '没有用户主目录，因此没有配置文件' : `没有配置文件 ${file}`),
  badConfig: (file, problems) => `配置文件 ${file} 有 ${problems} 个问题：huddle config`,
  noTeam: '没有团队文件：使用本机已安装的 CLI，一律只读',
  badTeam: (file, problems) => `团队文件 ${file} 有 ${problems} 个问题：huddle team check`,
  memberMissing: (names, command) => `${names.join('、')} 需要 ${command}，但 PATH 中没有`,
  trusted: (date) => `已信任此目录（${date} 起）`,
  notTrusted: '尚未信任此目录：团队会在这里运行命令',
  lookAndTrust: '查看并允许：huddle trust',
  sharedStore: (name) => `共享存储 ${name}`,
  dataFolder: (folder) => `数据目录 ${folder}`,
  noDataFolder: (folder, reason) => `无法使用数据目录 ${folder}：${reason}`,
  git: (version, file, megabytes) => `git ${version}（${file}）：记录文件改动，为撤销保存了 ${megabytes} MB`,
  noGit: '没有安装 git：不记录文件改动',
  oldGit: (version) => `git ${version} 过旧：不记录文件改动`,
  brokenGit: (detail) => `git 运行失败（${detail}）：不记录文件改动`,
  installGit: '安装 git 2.34 或更高版本。',
  repairGit: '运行 git --version，解决它报告的问题。',
  steps: {
    rehearse: 'huddle rehearse',
    trust: 'huddle trust',
    check: 'huddle team check',
    config: 'huddle config',
    moveData: 'HUDDLE_HOME=<你的目录> huddle doctor',
    run: 'huddle "消息"',
    runUnsaved: 'huddle run --ephemeral "消息"',
  },
  next: (command) => `下一步：${command}`,
};

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
