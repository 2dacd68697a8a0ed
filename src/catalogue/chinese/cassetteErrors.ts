import type { CassetteFault, cassetteErrorText } from '../english/cassetteErrors.js';
import { chineseImportFault } from './importFaults.js';

/** The sentences in Chinese of errors about cassettes. */
export const chineseCassetteErrors: typeof cassetteErrorText = {
  INVALID_CASSETTE: ({ file = '录制内容', fault }) =>
    `无法回放 ${file}，没有运行任何内容：${wordFault(fault)}`,
  CASSETTE_DIFFERS: ({ count, text }) => `与录制内容有 ${count} 处不同。\n${text}`,
};

function wordFault(fault: CassetteFault): string {
  switch (fault.kind) {
    case 'empty':
      return '其中没有事件。先录制：huddle cassette --output FILE。';
    case 'too-large':
      return `大小超过 ${fault.megabytes} MB。录制一场更短的对话。`;
    case 'damaged':
      return `第 ${fault.line} 行有误：${chineseImportFault(fault.fault)}。恢复该文件，或重新录制。`;
    case 'newer':
      return `版本是 ${fault.found}，这个 Huddle 最高支持版本 ${fault.known}。更新 Huddle。`;
    case 'older':
      return '它早于 Huddle 的首个正式版本。重新录制。';
    case 'cut-off':
      return `Huddle 在 ${fault.turnIds.join('、')} 期间退出，结果未知。先重试（huddle resume --retry），再重新录制。`;
  }
}
