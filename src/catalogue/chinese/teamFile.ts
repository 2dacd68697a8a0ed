import type { Bound, ExpectedType, SyntaxFault } from '../../models/TeamProblem.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import { quoteText } from '../../utils/quoteText.js';
import { wordFileFaults } from '../fileFaults.js';
import type { Catalogue } from '../words.js';

const SHORTEST = '{ "version": 1, "members": [ … ] }';

const describeFileFault = wordFileFaults({
  missing: (file) => `${file} 不存在`,
  'not-regular': (file) => `${file} 不是普通文件`,
  'not-utf8': (file) => `${file} 不是 UTF-8 文本；另存为 UTF-8`,
  denied: (file) => `无法读取 ${file}：没有访问权限`,
  'link-to-itself': (file) => `${file} 是指向自身的链接`,
  'name-too-long': (file) => `${file} 的名字太长`,
  'name-impossible': (file) => `${file} 不能用作文件名`,
  'of-the-system': (file) => `${file} 是系统文件，不属于你；把需要的内容复制出来`,
  'not-read': (file) => `没有读取 ${file}`,
  'too-large': (file, { maxBytes }) => `${file} 超过 ${maxBytes} 字节`,
  other: (file, { systemCode }) => `无法读取 ${file}（${systemCode}）`,
});

const syntaxFaults: Readonly<Record<SyntaxFault, (near: string, bare: string) => string>> = {
  empty: () => '文件为空。创建团队文件：huddle init --force',
  yaml: () => `看起来是 YAML；团队文件是 JSON：${SHORTEST}`,
  'not-json': () => `不是 JSON；团队文件是一个对象：${SHORTEST}`,
  'too-deep': () => '嵌套超过 64 层',
  comma: (near) => `${near} 前缺少逗号`,
  colon: (near) => `${near} 前缺少冒号`,
  'field-name': (near) => `${near} 前缺少用双引号括起的字段名`,
  'field-value': (near) => `${near} 前缺少值`,
  brace: () => '文件不完整：缺少 "}"',
  bracket: () => '文件不完整：缺少 "]"',
  'after-end': (near) => `团队结束之后还有 ${near}；团队文件只能是一个对象`,
  'unquoted-name': (_near, bare) => `字段名要用双引号括起："${bare}"`,
  'single-quotes': (_near, bare) => `用双引号："${bare.slice(1, -1)}"，不用 ${bare}`,
  'curly-quotes': (_near, bare) => `用半角双引号："${bare.slice(1, -1)}"，不用 ${bare}`,
  'hash-comment': () => '注释以 // 开头，不用 #',
  'extra-bracket': (near) => `多出 ${near}：没有与它对应的括号`,
  unexpected: (_near, bare) => `多出 ${bare}；文本要用双引号括起`,
  'open-comment': () => '注释没有结束；以 */ 结尾',
  'open-text': () => '缺少右侧的双引号',
  backslash: () => '文本里的反斜杠要写两个：\\\\',
  number: (near) => `${near} 不是数字`,
  'control-character': () => '文本里有控制字符；换行写成 \\n，制表符写成 \\t',
};

/** Problems of a team file, in Chinese. */
export const chineseTeamFile: Catalogue['teamFile'] = {
  invalid: (file) => `${file} 有问题：`,
  invalidTeam: '团队有问题：',
  more: (count) => `…还有 ${count} 个`,
  line: (place, sentence, code) => `${place === '' ? '' : `${place} `}${sentence} [${code}]`,
  wholeFile: '文件',
  list: '列表',
  object: '对象',
  inMember: (member, sentence) => `${member}：${sentence}`,

  didYouMean: (sentence, suggestion) => `${sentence}，是不是 ${suggestion}？`,
  use: (sentence, right) => `${sentence}；改用 ${right}`,
  write: (sentence, example) => `${sentence}；写成 ${example}`,
  removeQuotes: (sentence) => `${sentence}；去掉引号`,

  problems: {
    SYNTAX: ({ fault, value }) => syntaxFaults[fault](value, value.slice(1, -1)),
    DUPLICATE_KEY: ({ field }) => `${field} 写了两次；删掉一个`,
    FILE_UNREADABLE: describeFileFault,
    UNKNOWN_FIELD: ({ field, member, isOfAgents, isModel }) => {
      if (isModel) return `${field} 不是模型名`;
      if (!isOfAgents) return `未知字段 ${field}`;
      return member === undefined
        ? `只有智能体才有字段 ${field}；移到成员里`
        : `只有智能体才有字段 ${field}；移到 "ai" 类型的成员里`;
    },
    MISSING_FIELD: ({ field, pointer, choices }) => {
      if (choices.length === 0) return `缺少 ${field}`;
      const name = pointer.slice(pointer.lastIndexOf('/') + 1);
      return choices.length === 1
        ? `缺少 ${field}；加上 "${name}": ${choices[0]}`
        : `缺少 ${field}；可选：${choices.join('、')}`;
    },
    WRONG_TYPE: ({ field, pointer, value, expected }) => {
      const sentence = `${field} 必须是${expectedTypes[expected]}，现在是 ${value}`;
      return pointer === '' ? `${sentence}；从这里开始：${SHORTEST}` : sentence;
    },
    UNKNOWN_VALUE: ({ field, value, choices }) =>
      choices.length === 2
        ? `${field} 只能是 ${choices.join(' 或 ')}，现在是 ${value}`
        : `${field} 只能是 ${choices.join('、')}，现在是 ${value}`,
    OUT_OF_RANGE: ({ field, value, bound }) => describeBound(field, value, bound),
    NAME_INVALID: ({ field, maxLength }) =>
      `${field} 必须是 1 到 ${maxLength} 个字母、数字、"-" 或 "_"，至少有一个字母或数字`,
    NAME_RESERVED: ({ value }) => `${value} 是保留词；换个名字`,
    NAME_MIXED_SCRIPTS: ({ value, scripts }) => `${value} 混用了容易看错的字母（${scripts.join('、')}）`,
    NAME_TAKEN: ({ value, first }) =>
      `${value} 与 members[${first.index}] 的 ${quoteText(first.name)} 重名；大小写、全角半角、"-" 和 "_" 不作区分`,
    NO_MEMBERS: ({ field }) => `${field} 为空；加上一个智能体和一个人`,
    NO_AGENT: ({ field }) => `${field} 里没有智能体；加上一个 "ai" 类型的成员`,
    NO_HUMAN: ({ field }) => `${field} 里没有人；加上 { "name": "you", "type": "human" }`,
    COMMAND_MISSING: ({ field, agentType }) => `缺少 ${field}；类型 "${agentType}" 没有自带的程序`,
    OUTPUT_UNSUPPORTED: ({ field, label }) =>
      `${field} 只用于类型 "command"；${label} 的输出格式 Huddle 已经知道。删掉它`,
    TOOL_LIST_UNSUPPORTED: ({ field, label }) => `${label} 不支持 ${field}；删掉它，改用 "permission"`,
    CHECK_UNSUPPORTED: ({ field }) => `${field} 只用于类型 "command"，由退出码判断是否通过；删掉它`,
    NEEDS_RECORD: ({ field }) => `${field} 需要记录文件改动；删掉它，或把 "files.record" 设为 true`,
    OF_THE_WORKER: ({ field, runsOn }) =>
      `${field} 由 ${quoteText(runsOn)} 的工作节点文件决定；在这里删掉它，或删掉 "runsOn"`,
    KEY_INVALID: ({ field }) => `${field} 不是公钥；复制 huddle key 显示的那一串："ed25519:…"`,
    NAME_UNDEFINED: ({ value, list, known }) =>
      known.length === 0
        ? `${value} 不在 "${list}" 里，它是空的`
        : `${value} 不在 "${list}" 里；其中有 ${known.map((name) => quoteText(name)).join('、')}`,
    ASKERS_MISSING: ({ field }) => `缺少 ${field}；权限 "full" 需要自己的列表，例如 "askers": ["kim"]`,
    FALLBACK_CYCLE: ({ field, value, agent }) =>
      `${field} ${value} 会让唯一的智能体回答自己：${quoteText(agent)} -> ${quoteText(agent)}`,
    INSTRUCTION_FILE_UNREADABLE: describeFileFault,
    INSTRUCTION_FILE_OUTSIDE: ({ field, value }) =>
      `${field} ${value} 在团队文件所在目录之外；移到目录内，或运行 huddle trust 允许它`,
    INSTRUCTION_FILE_TOO_LARGE: describeFileFault,
    SYSTEM_TEXT_TOO_LARGE: ({ field, bytes, maxBytes }) =>
      `${field} 连同其余系统提示词共 ${bytes} 字节；context.maxBytes 的一半是 ${maxBytes}。缩短文本，或调高 context.maxBytes`,
    PRICE_UNKNOWN: ({ field, priceName }) =>
      priceName === undefined
        ? `${field} 没有单价，limits.usd 无法计入；同时设置 limits.tokens，或写明 "model" 并加到 "prices" 里`
        : `${field} 没有单价，limits.usd 无法计入；同时设置 limits.tokens，或加上单价：huddle config set prices.${quoteForShell(priceName)} <input> <output>`,
  },
};

const expectedTypes: Readonly<Record<ExpectedType, string>> = {
  text: '文本',
  number: '数字',
  'whole-number': '整数',
  'true-or-false': ' true 或 false',
  list: '列表',
  'list-of-words': '单词列表',
  object: '对象',
  'text-or-list': '文本或文本列表',
  'variable-name': '环境变量名',
  'store-name': '共享存储的名称（见 huddle store list）',
  'something-else': '别的值',
};

function describeBound(field: string, value: string, bound: Bound): string {
  switch (bound.kind) {
    case 'at-least':
      return `${field} 不能小于 ${bound.limit}，现在是 ${value}`;
    case 'more-than':
      return `${field} 必须大于 ${bound.limit}，现在是 ${value}`;
    case 'at-most':
      return `${field} 不能大于 ${bound.limit}，现在是 ${value}`;
    case 'characters':
      return `${field} 最多 ${bound.limit} 个字符`;
    case 'entries':
      return `${field} 最多 ${bound.limit} 项`;
    case 'bytes':
      return `${field} 最多 ${bound.limit} 字节，现在是 ${bound.bytes}`;
    case 'not-empty':
      return `${field} 不能为空`;
    case 'no-nul':
      return `${field} 不能包含 NUL 字符`;
  }
}
