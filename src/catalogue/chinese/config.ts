import type { Catalogue } from '../words.js';

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
