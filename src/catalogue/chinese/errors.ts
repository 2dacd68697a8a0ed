import type { FileReason } from '../../utils/fileReason.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import type { StoreDamage, StoredThing } from '../english/errors.js';
import { wordReason } from '../english/reasons.js';
import type { Catalogue } from '../words.js';
import { chineseCassetteErrors } from './cassetteErrors.js';
import { chineseCompanyErrors } from './company.js';
import { chineseFileErrors } from './fileErrors.js';
import { chineseFleetErrors } from './fleetErrors.js';
import { chineseImportFault } from './importFaults.js';
import { chineseReasons } from './reasons.js';
import { chineseSharedErrors } from './sharedErrors.js';
import { chineseWebErrors } from './web.js';
import { chineseWorkerErrors } from './workers.js';

/** The sentence in Chinese of every error that people may read. */
export const chineseErrors: Catalogue['errors'] = {
  CONVERSATION_LOCKED: ({ id, pid, host }) =>
    `会话 ${id} 已在 ${host} 的进程 ${pid} 中打开。先在那里关闭，或只查看。`,
  LEASE_LOST: ({ id }) => `会话 ${id} 已由另一个进程接管。重新打开它。`,
  UNKNOWN_CONVERSATION: ({ id }) => `没有会话 "${id}"。`,
  CONVERSATION_EXISTS: ({ id }) => `会话 "${id}" 已存在。`,
  STORE_NEWER: ({ thing, found, known }) =>
    `${nameThing(thing)}的版本是 ${found}，这个 Huddle 最高支持版本 ${known}。更新 Huddle 后再打开。没有改动任何内容。`,
  STORE_OLDER: ({ thing }) =>
    `${nameThing(thing)}早于 Huddle 的首个正式版本，无法读取。${typeof thing === 'object' && 'line' in thing ? '没有导入任何内容。' : '没有改动任何内容。把它移走，即可从空的开始。'}`,
  STORE_DAMAGED: ({ file, id, damage, intactEvents }) => {
    const where = id === undefined ? file : `${file} 中的会话 ${id}`;
    const rest = id === undefined ? '用备份恢复，或把它移走，从空的开始。' : '可以删除它，其他会话不受影响。';
    return `${where} 已损坏：${wordDamage(damage)}。文件没有改动。${intactEvents === undefined ? rest : `前 ${intactEvents} 个事件可以读取。`}`;
  },
  STORE_WRITE: ({ file, reason, freeBytes, use = 'write' }) => {
    const free = freeBytes === undefined ? '' : `（剩余 ${Math.floor(freeBytes / 1024)} KB）`;
    return `无法使用 ${file}：${wordStoreReason(reason)}${free}。${use === 'write' ? '没有写入任何内容，' : ''}之前保存的仍在。`;
  },
  STORE_UNAVAILABLE: ({ packageName }) =>
    `无法保存会话：这个 Node 没有 SQLite，也没有安装 ${packageName}。` +
    `运行 \`npm install ${packageName}\`，或改用 Node 22.13 或更高版本，或不保存继续。`,
  INVALID_IMPORT: ({ line, fault }) =>
    `无法导入第 ${line} 行：${chineseImportFault(fault)}。没有保存任何内容。`,
  TRUST_RECORD_DAMAGED: ({ file }) => `信任列表 ${file} 已损坏。修复它，或删除后重新信任你的目录。`,
  FILE_LOCKED: ({ file, pid, host }) =>
    `${pid === undefined ? '另一个进程' : `${host} 的进程 ${pid}`}占用锁 ${file} 的时间过长，没有改动任何内容。等它结束后再试。如果该进程已不存在：rm ${quoteForShell(file)}`,
  DATA_FOLDER: (fault) => {
    if ('home' in fault) return '找不到用来保存数据的主目录。把 HUDDLE_HOME 设为绝对路径。';
    return 'relative' in fault
      ? `HUDDLE_HOME 是相对路径：${fault.relative}。改为绝对路径，或取消设置。`
      : `无法使用数据目录 ${fault.folder}：${wordReason(fault.reason, chineseReasons)}。解决这个问题，或把 HUDDLE_HOME 设为其他目录。`;
  },
  EMPTY_MESSAGE: () => '消息为空。',
  CONVERSATION_CLOSED: () => '对话已关闭。重新打开后继续。',
  UNKNOWN_PERMISSION_REQUEST: ({ requestId }) => `请求 "${requestId}" 已处理或已失效。`,
  TITLE_TOO_LONG: ({ bytes, maxBytes }) => `标题有 ${bytes} 字节，最多 ${maxBytes} 字节。`,
  UNKNOWN_MESSAGE: ({ messageId, nearest }) =>
    nearest === undefined
      ? `没有消息 "${messageId}"：对话中还没有消息。`
      : `对话中没有消息 "${messageId}"。最接近的是 ${nearest}。`,
  UNKNOWN_TURN: ({ turnId }) => `对话中没有轮次 "${turnId}"，或它从未开始。`,
  UNKNOWN_MEMBER: ({ memberId }) => `对话当时没有智能体 "${memberId}"。`,
  UNKNOWN_SPEAKER: ({ name, people }) =>
    `团队中没有人叫 "${name}"。团队中的人：${people.join('、') || '无'}。`,
  UNKNOWN_AGENT_TYPE: ({ agentType, known }) =>
    `没有智能体类型 "${agentType}"。已知的：${known.join('、')}。`,
  FILES_NOT_WRITTEN: ({ reason, isPartial }) =>
    isPartial
      ? `只写入了部分文件：${wordReason(reason, chineseReasons)}。解决后再次运行同一命令即可完成。`
      : `无法写入文件：${wordReason(reason, chineseReasons)}。未改动任何文件。`,
  READING_STOPPED: ({ why }) => {
    if (why === 'closed') return 'Huddle 正在关闭，不再读取。';
    return why === 'slow'
      ? '读取这场对话用时过长，已停止。再试一次，或使用命令行。'
      : '读取这场对话时中断。再试一次。';
  },
  ...chineseFileErrors,
  ...chineseCassetteErrors,
  ...chineseWorkerErrors,
  ...chineseFleetErrors,
  ...chineseSharedErrors,
  ...chineseCompanyErrors,
  ...chineseWebErrors,
};

function nameThing(thing: StoredThing): string {
  if (thing === 'log') return '日志';
  if ('file' in thing) return `${thing.file} `;
  return 'line' in thing ? `第 ${thing.line} 行` : `${thing.of} 的事件 ${thing.event} `;
}

function wordStoreReason(reason: FileReason): string {
  return 'errno' in reason
    ? (chineseReasons.system[reason.errno] ?? reason.errno)
    : wordReason(reason, chineseReasons);
}

const DAMAGES = {
  'no-database': '不是数据库',
  'bad-header': '文件头与写入时不同',
  'not-ours': '不是 Huddle 的存储',
  'bad-entry': '条目与写入时不同',
};

function wordDamage(damage: StoreDamage): string {
  if (typeof damage === 'string') return DAMAGES[damage];
  if ('said' in damage) return damage.said;
  return damage.isMissing ? `缺少事件 ${damage.event}` : `事件 ${damage.event} 与写入时不同`;
}
