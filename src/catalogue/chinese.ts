import { chineseAcp, chineseAcpView } from './chinese/acp.js';
import { chineseCassette } from './chinese/cassette.js';
import { chineseCli } from './chinese/cli.js';
import { chineseCompany } from './chinese/company.js';
import {
  chineseCost,
  chineseDecisions,
  chineseLimits,
  chineseSessionStatus,
  chineseTyped,
  chineseWarnings,
} from './chinese/conversation.js';
import { chineseErrors } from './chinese/errors.js';
import { chineseFailures } from './chinese/failures.js';
import { chineseFilePlan } from './chinese/filePlan.js';
import { chineseFileRecords } from './chinese/fileRecords.js';
import { chineseFiles } from './chinese/files.js';
import { chineseFleet } from './chinese/fleet.js';
import { chineseHelp } from './chinese/help.js';
import { chineseEventFault } from './chinese/importFaults.js';
import { chineseJoining } from './chinese/joining.js';
import { chineseMcp } from './chinese/mcp.js';
import { nameTurn } from './chinese/nameTurn.js';
import { chinesePresets } from './chinese/presets.js';
import { chineseReasons } from './chinese/reasons.js';
import { chineseRecording } from './chinese/recording.js';
import { chineseRehearsal } from './chinese/rehearsal.js';
import { chineseReplay } from './chinese/replay.js';
import { chineseForks, chinesePrint, chineseSessions } from './chinese/sessions.js';
import { chineseStores } from './chinese/stores.js';
import { chineseAdjust, chineseConfig, chineseDoctor, chineseInit } from './chinese/team.js';
import { chineseTeamFile } from './chinese/teamFile.js';
import { chineseNotices, chineseTelling } from './chinese/telling.js';
import { chineseTerminal } from './chinese/terminal.js';
import { chineseWeb, chineseWebDoor, chineseWebLog } from './chinese/web.js';
import { chineseWebPanels } from './chinese/webPanels.js';
import { chineseWhy } from './chinese/why.js';
import { chineseWishes } from './chinese/wishes.js';
import { chineseElsewhere, chineseWorkers } from './chinese/workers.js';
import type { Catalogue } from './words.js';

/** Every sentence shown to people, in Simplified Chinese. */
export const chinese: Catalogue = {
  language: 'zh-CN',
  joining: chineseJoining,
  decisions: chineseDecisions,
  warnings: chineseWarnings,
  notices: chineseNotices,
  fileRecords: chineseFileRecords,
  failures: chineseFailures,
  cassette: chineseCassette,
  errors: chineseErrors,
  eventFault: chineseEventFault,
  reasons: chineseReasons,
  limits: chineseLimits,
  telling: chineseTelling,
  elsewhere: chineseElsewhere,
  workers: chineseWorkers,
  print: chinesePrint,
  acpView: chineseAcpView,
  cli: chineseCli,
  sessions: chineseSessions,
  files: chineseFiles,
  filePlan: chineseFilePlan,
  sessionStatus: chineseSessionStatus,
  cost: chineseCost,
  typed: chineseTyped,
  acp: chineseAcp,
  webLog: chineseWebLog,
  fleet: chineseFleet,
  forks: chineseForks,
  replay: chineseReplay,
  why: chineseWhy,
  page: {
    conversation: '对话',
    rehearsal: '试跑',
    fromTo: (from, to, zone) => `${from} 至 ${to}（${zone}）`,
    members: '成员',
    askedFor: (tool, subject, decision) => `请求权限 ${tool}：${subject}（${decision}）`,
    tool: (name, input, failed) => `${name}：${input}${failed ? '（失败）' : ''}`,
    requests: (count) => `${count} 个权限请求`,
    toolCalls: (count) => `${count} 次工具调用`,
    changedFiles: (count) => `${count} 个改动的文件`,
    prompt: (bytes, max) => `提示词：${bytes} 字节（上限 ${max}）`,
    usage: '用量',
    usageOf: (turns, money) => `用量：${turns} 轮${money && `，${money}`}`,
  },
  stores: chineseStores,
  rehearsal: chineseRehearsal,
  teamFile: chineseTeamFile,
  presets: chinesePresets,
  recording: chineseRecording,
  wishes: chineseWishes,
  teamCheck: {
    valid: (file, agents, people) => `${file} 没有问题：${agents} 个智能体，${people} 人。`,
    member: (name, facts) => `  ${name}：${facts.join('，')}`,
    next: '下一步：huddle rehearse',
  },
  trust: {
    defaultTeam: (file) => `你的默认团队 ${file} 会以你的身份运行这些命令：`,
    question: (folder) => `${folder} 中的团队文件会以你的身份运行这些命令：`,
    builtIn: (folder) => `${folder} 中没有团队文件：Huddle 会在那里运行这些命令，并读取该目录的设置：`,
    worksIn: (folder) => `智能体在 ${folder} 中工作，并读取该目录的设置。`,
    programInside: (file) => `会运行本项目内部的程序：${file}`,
    passedOver: (file) => `没有运行，因为它在本项目内部：${file}`,
    grants: (label, file) => `允许 ${label} 不经询问运行命令：${file}`,
    marksTrusted: (label, file) => `${label} 会在自己的设置中把此目录标记为受信任，并读取 ${file}`,
    fileOutside: (folder, file) => `会读取 ${folder} 之外的文件：${file}`,
    noFolder: (folder) => `没有目录 ${folder}。`,
    howTo: (commands) => `你还没有批准。看过之后运行 ${commands.join(' 和 ')}，或加上 --trust 只信任本次。`,
    changed: (date) => `你在 ${date} 信任之后有这些变化：`,
    ask: '信任此目录？[y/N] ',
    done: (folder) => `已信任 ${folder}。团队有变化时会再次询问。`,
    already: (folder, date) => `${folder} 已受信任（${date} 起）。`,
    refused: '没有信任。未运行、未改动任何内容。',
    notInteractive: '不在终端中，无法询问。看过列表后运行：huddle trust --yes',
    programs: {
      runs: (member, command) => `${member} 运行 ${command}`,
      rights: (rights, environment) => `${rights}，环境 ${environment}`,
      isCheck: '每一轮改动文件后自动运行',
      asks: (member, worker) => `向 ${worker} 上的 ${member} 提问，用这台机器的密钥签名`,
      setup: (command) => `每个新副本运行 ${command}`,
      details: { model: '模型', allowed: '允许', denied: '拒绝', instructionFile: '指令文件' },
    },
    changes: {
      newMember: (path) => `${path}：新成员`,
      added: (path, value) => `${path}：新增，${value}`,
      changed: (path, value, old) =>
        old === undefined ? `${path}：现为 ${value}` : `${path}：原为 ${old}，现为 ${value}`,
      removed: (path) => `${path}：已删除`,
    },
    variables: (name, names) => `${name} 会得到这些凭据（如果已设置）：${names.join('、')}`,
  },
  nested: {
    noAgents: (turn) =>
      `正在 ${nameTurn(turn)} 中运行，成员不能自己启动智能体。要问其他成员，把发言权交给它。`,
    onlyPeople: (turn) => `正在 ${nameTurn(turn)} 中运行，只有人可以这样做。`,
    someTurn: 'Huddle',
  },
  adjust: chineseAdjust,
  company: chineseCompany,
  config: chineseConfig,
  mcp: chineseMcp,
  webPanels: chineseWebPanels,
  webDoor: chineseWebDoor,
  doctor: chineseDoctor,
  help: chineseHelp,
  terminal: chineseTerminal,
  init: chineseInit,
  web: chineseWeb,
};
