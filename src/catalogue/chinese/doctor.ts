import type { Catalogue } from '../words.js';
import { chineseLogin } from './failures.js';

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
