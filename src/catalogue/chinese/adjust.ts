import type { Catalogue } from '../words.js';

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
