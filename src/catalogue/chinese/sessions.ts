import type { Catalogue } from '../words.js';
import { listTogether } from './joining.js';
import { chineseTelling } from './telling.js';

/** Sentences about saved sessions, in Chinese. */
export const chineseSessions: Catalogue['sessions'] = {
  kept: (id, huddle) => `已保存为 ${id}。继续：${huddle} -c（脚本中：${huddle} resume ${id} "消息"）`,
  closed: (id, huddle) => `已保存为 ${id}。继续：${huddle} -c`,
  left: (id) => `已保存为 ${id}。返回：/resume ${id}`,
  newSession: '新会话。',
  sameSession: '就是当前会话。',
  notRehearsed: (id) => `会话 ${id} 用的是真实的智能体，而现在是试跑。退出后运行：huddle resume ${id}`,
  notKept: '没有消息，未保存。',
  picker: {
    question: '继续哪个会话？',
    asked: (question, filter) => `${question}${filter}`,
    keys: (marked, count) => `  ↑↓ 移动，输入以筛选，Enter 打开，Esc 取消（${marked}/${count}）`,
    noMatch: '没有匹配的会话',
    askNumber: (count) => `继续哪个会话？[1-${count}，按 Enter 选 1] `,
    noSuchNumber: (word) => `列表中没有 "${word}"。`,
  },
  notFound: (text) => `没有会话提到 "${text}"。`,
  notFoundHere: (text) =>
    `本目录没有会话提到 "${text}"。搜索所有目录：huddle sessions --all --search "${text}"`,
  renamed: (id, title) => `已把 ${id} 改名为：${title}`,
  deleteWhat: '写明会话 id 或 --older-than，例如 --older-than 30d。',
  nothingOld: (age, isEverywhere) =>
    isEverywhere ? `没有超过 ${age} 的会话。` : `本目录没有超过 ${age} 的会话。所有目录：加上 --all`,
  toDeleteOld: (count, age, isEverywhere) =>
    `永久删除${isEverywhere ? '所有目录' : '本目录'}中超过 ${age} 的 ${count} 个会话？[y/N]`,
  deleteOldUnasked: (count) => `不在终端中，无法询问。要删除 ${count} 个会话，加上 --yes。`,
  none: '还没有保存的会话。对话都会自动保存，除非加上 --ephemeral。',
  noneHere: (id, folder) =>
    `本目录没有保存的会话。其他目录最近的：${id}${folder === undefined ? '' : `，位于 ${folder}`}。列出全部：huddle sessions --all`,
  elsewhere: (count) => `其他目录还有 ${count} 个会话：huddle sessions --all`,
  ofOthers: (huddle) => `共享存储中的其他会话：${huddle} sessions --all`,
  onlyLatest: (count) => `只显示最近 ${count} 个。查找其他会话：huddle sessions --search "文字"`,
  noneHereYet: '本目录没有保存的会话。',
  unknown: (word, near, latest) =>
    `没有会话 "${word}"。${near === undefined ? `最近的：${latest.join('、')}。` : `是不是 ${near}？`}列出全部：huddle sessions --all`,
  ambiguous: (word, count, ids) =>
    `"${word}" 匹配 ${count} 个会话：${ids.join('、')}${count > ids.length ? '…' : ''}。多输几位 id 再试。`,
  unavailable: (reason) => `${reason}不保存直接运行：huddle run --ephemeral "消息"`,
  unusable: (reason) =>
    `${reason}解决这个问题，或把 HUDDLE_HOME 设为其他目录。不保存直接运行：huddle run --ephemeral "消息"`,
  otherTeam: (id, names, folder) =>
    `会话 ${id} 的成员 ${names.join('、')} 都不在当前团队中。到它的目录${folder === undefined ? '' : `（${folder}）`}中运行，或用 --team 指定它的团队文件。`,
  membersGone: (names) => `已不在团队中：${names.join('、')}。其消息保留，但不再提问。`,
  roleChanged: (name, before, now) =>
    `会话开始时 ${name} 的角色是 "${before}"，现在团队文件里是 "${now}"。以 ${now} 发送的消息在这场会话中不会显示为 ${name} 的消息。开始新会话，或把 ${name} 的 "role" 改回 "${before}"。`,
  openElsewhere: (reason, id) => `${reason}如果该进程已不存在：huddle resume ${id} --take-over，并附上消息。`,
  continuing: (id, messages, title) => `会话 ${id}，${messages} 条消息：${title}`,
  toContinue: (id, huddle) => `继续：${huddle} resume ${id} "消息"`,
  openNow: '已在另一个进程中打开。到那里继续，或先关闭；huddle show 仍可查看。',
  toRetry: (id, huddle) => `重试未完成的轮次：${huddle} resume ${id} --retry`,
  messageAsId: (message) => `id 写在前面。要在本目录最近的会话中发送：huddle run -c "${message}"`,
  messageOrRetry: '消息和 --retry 只能选一个。',
  toDelete: (id, messages, title) => `永久删除会话 ${id}（${messages} 条消息：${title}）？[y/N]`,
  deleteUnasked: (id) => `不在终端中，无法询问。要删除 ${id}，加上 --yes。`,
  notDeleted: '没有删除。',
  deleted: (id) => `已删除：${id}`,
  exported: (id, file) => `已把会话 ${id} 导出到 ${file}`,
  exportedTo: (file) => `已导出到 ${file}`,
  exportExists: (file) => `${file} 已存在。换个名字。`,
  cannotExportHere: (file, reason) => `无法写入 ${file}：${reason}。换个名字。`,
  unknownFormat: (extension, known) => `无法导出为 ${extension}。可用：${known.join('、')}。`,
  cannotExport: (file, reason) => `无法写入 ${file}：${reason}。会话没有改动。写到别处：--output FILE`,
  imported: (id) => `已导入：${id}`,
  unsafeId: (id) => `"${id}" 不能用作 id：只能是 1 到 64 个字母、数字和连字符，例如 wiki-1。`,
  exists: (reason) => `${reason}要两个都保留：huddle import FILE --id <new-id>`,
  notALog: (reason) => `${reason}Huddle 只导入 huddle export --format jsonl 写出的文件。`,
  unreadable: (id, seq, fault) =>
    `无法读取会话 ${id}：第 ${seq} 个事件不是 Huddle 写出的（${fault}）。没有改动任何内容。查看：huddle export ${id} --format jsonl`,
  damaged: (reason, id) =>
    `${reason}要保存可读的部分：huddle export ${id} --format jsonl --output saved.jsonl，然后 huddle import saved.jsonl --id saved`,
  heads: {
    id: 'id',
    when: '更新时间',
    team: '团队',
    members: '成员',
    turns: '轮数',
    state: '状态',
    title: '标题',
    origin: '分叉自',
    folder: '目录',
    holder: '持有者',
  },
  states: {
    open: '别处打开',
    interrupted: '已中断',
    paused: '已暂停',
    stopped: '已停止',
    failed: '失败',
    waiting: '等待回复',
    done: '完成',
    empty: '空',
    damaged: '已损坏',
  },
  replayOf: (id, title) => `重跑 ${id}：${title}`,
  isReplayOf: (id) => `重跑自 ${id}。`,
  atLimit: '达到上限',
  waitingFor: (names) => `等待 ${names.join('、')}`,
};

/** Sentences about forks of sessions, in Chinese. */
export const chineseForks: Catalogue['forks'] = {
  forked: (id) => `已分叉：${id}`,
  copied: (from, messageId) =>
    messageId === undefined ? `已复制 ${from} 的团队，不含消息。` : `已复制 ${from}，到 ${messageId} 为止。`,
  moved: (asked) => `${asked} 处在一轮盲答中间，分叉点已移到整轮之外：整轮要么全部保留，要么全部去掉。`,
  dropped: (names) => `已从队列中去掉：${names.join('、')}。要保留，加上 --keep-queue`,
  droppedInChat: (names) => `已从队列中去掉：${names.join('、')}。`,
  toUndo: (commands) => `文件保持原样。要撤销之后的改动：${commands.join('，然后 ')}`,
  toSwitch: (id) => `切换到它：/resume ${id}`,
  exists: (reason) => `${reason}用 --id 换一个 id。`,
  empty: (id) => `会话 ${id} 还没有消息，无法分叉。`,
  nothingSaid: '还没有消息。',
  whichMessage: '指定要回到的消息：',
  rewindWith: (command) => `例如：${command}。`,
};

/** Sentences of a printed conversation, in Chinese. */
export const chinesePrint: Catalogue['print'] = {
  team: (members) => `团队：${members.join('、')}。`,
  startsAgain: '[智能体重新开始回复]',
  working: (doing, duration) => `${doing} · ${duration} · Ctrl-C 停止`,
  promptFor: (name, bytes) => `发给 ${name} 的提示词：${bytes} 字节`,
  systemPrompt: '系统提示词：',
  asPrompt: '提示词：',
  tool: (name, tool, input) => `${chineseTelling.doing.running(name, tool)}${input && `：${input}`}`,
  ranTool: (name, tool, input) => `${name} 运行了 ${tool}${input && `：${input}`}`,
  toolFailed: (name, tool, result) => `${name}：${tool} 失败${result && `：${result}`}`,
  plan: (name, done, all) => `${name} 的计划：已完成 ${done}/${all}`,
  permissionRequest: (name, request) => `${name} 请求权限：${request}`,
  trouble: (what, draftCharacters, hint) =>
    `${what}；${draftCharacters === 0 ? '没有收到回复' : `草稿已保留（${draftCharacters} 个字符），未送出`}。${hint}`,
  toContinue: {
    agentTurns: '要继续，加大 --max-turns 后重新运行，或调高团队文件的 limits.agentTurns。',
    pairTurns: '要继续，调高团队文件的 limits.pairTurns 后重新运行。',
    sameAnswer: '回答在重复：换个问题，或调高团队文件的 limits.sameAnswer。',
    checkRounds: '检查一直失败：查看原因，或调高团队文件的 limits.checkRounds。',
    tokens: '要提高上限，调高团队文件的 limits.tokens 后重新运行。',
    usd: '要提高上限，加大 --max-usd 后重新运行，或调高团队文件的 limits.usd。',
  },
  toResume: (id) => `要继续：huddle resume ${id}`,
  afterReader: '先用 huddle diff 查看改动，再继续。',
  noRecipient: '没有指定智能体。用 @name 或 [NEXT: name] 指定。',
  notRun: (names) => `已跳过：${names.join('、')}。`,
  waiting: (names) => `等待 ${listTogether(names)} 回复。`,
  turns: (turns, duration) => `${turns} 轮，${duration}`,
  unpriced: (what) => `没有单价：${what.join('、')}`,
  nothingSpent: '试跑，不花钱',
  played: '播放，不花钱',
};
