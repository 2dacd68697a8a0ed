import type { Catalogue } from '../words.js';

/** Sentences in Chinese about making and changing recordings. */
export const chineseRecording: Catalogue['recording'] = {
  recorded: (file, turns, masked) =>
    masked === 0 ? `已录制 ${turns} 轮到 ${file}` : `已录制 ${turns} 轮到 ${file}，遮盖了 ${masked} 处内容。`,
  toPlay: (file) => `回放：huddle run --cassette ${file}`,
  differs: (differences) => `录制内容与当前团队有 ${differences} 处不同，回放时可以看到。`,
  exists: (file) => `${file} 已存在。要替换它，加上 --force。`,
  noFolder: (folder) => `${folder} 不是目录。换一个。`,
  isFolder: (file) => `${file} 是目录。改用文件名。`,
  notInCi: (flag) => `设置了 CI 时，${flag} 不写文件。仍要写，加上 --force。`,
  stopped: '已停止，没有录制。',
  stoppedSaved: (id) => `已停止，没有录制。录制已保存的部分：huddle cassette ${id} --output FILE`,
  cannotWrite: (file, reason) => `无法写入 ${file}：${reason}。`,
  notRecorded: (file, reason) => `没有写入 ${file}：${reason}`,
  cutOff: (file, turns) =>
    `没有写入 ${file}：${turns.join('、')} 没有结束，因为 Huddle 被终止，或者仍在运行。等它结束，或重试之后再录制：huddle resume --retry`,
  needsCassette: (flag) => `${flag} 要和 --cassette FILE 一起使用。`,
  forceAlone: '--force 要和 --record FILE 或 --accept 一起使用。',
  nothingToAccept: (file) => `没有不同。${file} 保持不变。`,
  accepted: (file, differences) =>
    `已接受 ${differences} 处不同：${file} 现在是当前团队的提示词和设置，回答仍是录制的回答。`,
  otherOrder: (file) =>
    `没有接受：运行的轮次不同，录制的回答对不上。${file} 保持不变。重新录制：huddle run --record ${file} --force "消息"`,
};
