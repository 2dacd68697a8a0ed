import type { EventFault, ImportFault } from '../english/importFaults.js';

/** A fault of an event in Chinese. */
export function chineseEventFault(fault: EventFault): string {
  if (fault === 'no-event') return '不是对话的事件';
  if (fault === 'only-shown') return '只用于显示的内容不属于日志';
  return `${fault.path} 的值不符合格式`;
}

const IMPORT_FAULTS = {
  'no-start': '对话要以 conversation-start 开头',
  'bad-id': 'id 只能由字母、数字和连字符组成',
  'record-too-large': '有一条记录超过 64 MB',
  'no-json': '不是 JSON',
  'file-too-large': '文件超过 1 GB',
  'second-start': '对话开始了两次',
  'number-too-large': '含有过大的数字',
  'proto-key': '含有 "__proto__" 键',
};

const TWICE = { message: '消息', 'turn-start': '轮次开始', 'turn-end': '轮次结束' };

/** A fault of a line that is no event, in Chinese. */
export function chineseImportFault(fault: ImportFault): string {
  if (typeof fault === 'string') return IMPORT_FAULTS[fault];
  if ('nesting' in fault) return `嵌套超过 ${fault.nesting} 层`;
  if ('found' in fault) return `编号是 ${fault.found}，应为 ${fault.expected}`;
  if ('twice' in fault) return `${JSON.stringify(fault.id)} 出现两次（${TWICE[fault.twice]}）`;
  return chineseEventFault(fault.event);
}
