import type { Catalogue } from '../words.js';
import { chineseLogin } from './failures.js';

/** Sentences shared by several commands, in Chinese. */
export const chineseCli: Catalogue['cli'] = {
  error: (code, message) => `error[${code}]: ${message}`,
  warning: (message) => `warning: ${message}`,
  unknownLanguage: (source, value, known) => `${source} 只能是 ${known.join(' 或 ')}，不能是 "${value}"。`,
  syntax: {
    missingArgument: (name) => `缺少参数 <${name}>。`,
    missingValue: (option) => `选项 ${option} 缺少值。`,
    unknownOption: (option, near) =>
      near === undefined ? `未知选项 ${option}。` : `未知选项 ${option}。是不是 ${near}？`,
    permissionOption: (option) =>
      `未知选项 ${option}。在团队文件中设置各智能体的 "permission"，或使用 --read-only。`,
    tooMany: (command, most, given) =>
      `${command === undefined ? '' : `${command} 的`}参数过多：最多 ${most} 个，收到 ${given} 个。含空格的文字要加引号。`,
    unknownSubcommand: (word, near) =>
      near === undefined ? `未知命令 "${word}"。` : `未知命令 "${word}"。是不是 ${near}？`,
    conflict: (one, other) => `选项 ${one} 不能与 ${other} 同时使用。`,
    badValue: (option, value, reason) => `选项 ${option} 的值 "${value}" 无效。${reason}`,
    badArgument: (name, value, reason) => `参数 <${name}> 的值 "${value}" 无效。${reason}`,
    choices: (values) => `可选：${values.join('、')}。`,
  },
  seeHelp: (command) => `用法：${command} --help`,
  unknownCommand: (word, nearest) =>
    nearest === undefined ? `未知命令 "${word}"。` : `未知命令 "${word}"。是不是 huddle ${nearest}？`,
  continueAlone: '-c 后面不能跟命令。继续本目录最近的会话：huddle -c，或 huddle -c "消息"',
  messageAsCommand: (word, message) => `未知命令 "${word}"。要发给团队：huddle run "${message}"`,
  noFolder: (folder, reason) => `-C ${folder}：${reason}。`,
  age: '必须是小时、天或周数：12h、30d 或 8w。',
  unexpected: (message) => `${message}。这是 Huddle 的 bug。加上 DEBUG=1 重新运行可看到详情`,
  systemError: ({ path }, reason) => (path === undefined ? reason : `${path}：${reason}`),
  noMessage: '没有消息。写在引号里，或用 --file FILE，或从标准输入传入。',
  nothingToDo:
    '没有消息。在终端中运行 huddle，或把消息用管道传入，或运行：huddle run "消息"。观看演示：huddle demo',
  emptyMessage: (source) => `${source}的消息为空。未运行任何内容。`,
  fromArgument: '参数中',
  fromFile: (file) => `${file} 中`,
  fromStandardInput: '标准输入中',
  withInput: '连同输入在内',
  standardInput: '标准输入',
  readingInput: '正在读取标准输入… 如果没有内容可读，加上 < /dev/null。',
  nothingOnInput: (seconds) => `标准输入 ${seconds} 秒没有内容，不再等待，继续运行。`,
  commandOfTerminal: (name) => `/${name} 是终端里的命令：运行 huddle 后再输入。`,
  sendAsIs: (reason) => `${reason}要原样发送，用 --file FILE 或从标准输入传入。`,
  twoMessages: '消息要么写在引号里，要么用 --file，不能两者都用。',
  cannotRead: (file, reason) => `无法读取 ${file}：${reason}。`,
  messageTooLarge: (source, megabytes) => `${source}的消息超过 ${megabytes} MB。放进文件，再让团队去读。`,
  notSent: (text) => `你输入的内容没有发送：\n${text}`,
  notUtf8: (source) => `${source}的消息不是 UTF-8 文本，未运行任何内容。存为 UTF-8 后再试。`,
  binary: (source) => `${source}的消息是二进制数据，不是文本。未运行任何内容。`,
  wholeNumber: '必须是不小于 1 的整数。',
  money: '必须是大于 0 的金额（美元）。',
  cannotWrite: (reason) => `无法写入输出：${reason}。正在运行的一轮已停止。已保存的会话：huddle sessions`,
  cannotWriteDebug: (file, reason) => `无法写入调试文件 ${file}：${reason}`,
  debugFile: (file) => `调试输出写入 ${file}`,
  defaultTeam: (file) => `没有团队文件：使用你的默认团队 ${file}（huddle config）`,
  installedTeam: '没有团队文件：使用本机已安装的 CLI，一律只读。',
  notLoggedIn: (label, login) => `${label} 未登录。${login === undefined ? '' : chineseLogin(login)}`,
  rehearsalTeam: '试跑：本机没有安装智能体 CLI，由模拟智能体回复，不花钱。查看：huddle doctor',
  trustedOnce: (folder) => `仅本次信任：${folder}`,
  unpriced: (what) =>
    `美元上限无法计入没有单价的 ${what.join('、')}。在团队文件中同时设置 limits.tokens，或加上单价。`,
  noAgentCli: (programs) =>
    [
      'PATH 中没有智能体 CLI。安装其中一个：',
      ...programs.map(({ label, installHint }) => `  ${label.padEnd(12)} ${installHint}`),
      '用模拟智能体观看演示：huddle demo',
    ].join('\n'),
  noTeamFile: '本目录及上级目录都没有 huddle.jsonc，没有可检查的内容。创建：huddle init',
};
