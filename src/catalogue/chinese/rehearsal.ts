import type { Catalogue } from '../words.js';

/** Replies in a dry run of each preset, in Chinese. */
export const chineseReplies: Catalogue['rehearsal']['replies'] = {
  council: {
    architect: [
      {
        text: [
          '我先看看现在是怎么做的。',
          '关于“{asked}”，我建议只改一处：在入口统一判断，后面的代码都以它为准。代价是一个新模块，不加依赖。Engineer，现有代码允许这样做吗？',
        ],
        tools: [{ name: 'Read', input: 'README.md', result: '已读' }],
        next: ['engineer'],
      },
      {
        text: '两点都同意。结论：在入口加一个模块，用开关控制，旧路径再保留一个版本。代价：大约两天。第一步：写一个能说明现状的测试。',
      },
    ],
    engineer: [
      {
        text: [
          '我对照代码查一下。',
          '允许。现在有两处调用绕过了入口，一小时内都能改过来。缺的是旧行为的测试。Critic，对用户来说哪里会坏？',
        ],
        tools: [{ name: 'Grep', input: '入口', result: '2 处调用' }],
        next: ['critic'],
      },
    ],
    critic: [
      {
        text: '1. 依赖旧路径的人会直接报错，也不知道该怎么办。\n2. 万一周五出了问题，没有退路。\n\nArchitect，这两样能不能再保留一个版本？',
        next: ['architect'],
      },
    ],
  },
  pair: {
    navigator: [
      {
        text: [
          '我先读一下相关的代码。',
          '关于“{asked}”，第一小步是写一个因为正确的原因而失败的测试。测试说清楚是哪种情况，其他都不动，就算完成。Driver，只写这一步。',
        ],
        tools: [{ name: 'Read', input: 'README.md', result: '已读' }],
        next: ['driver'],
      },
      { text: '测试失败的原因是对的。下一步：用最小的改动让它通过，然后跑完全部测试。', next: ['driver'] },
      { text: '两步都成立：一个新测试，一处小改动，全部测试通过。完成。' },
    ],
    driver: [
      {
        text: ['正在写测试。', '新增一个测试，失败得正如预期：应当拒绝，却返回了结果。'],
        tools: [{ name: 'Bash', input: 'npm test', result: '1 个失败，42 个通过' }],
        next: ['navigator'],
      },
      {
        text: ['正在让它通过。', '一个文件改了四行。全部测试通过。'],
        tools: [{ name: 'Bash', input: 'npm test', result: '43 个通过' }],
        next: ['navigator'],
      },
    ],
  },
  review: {
    author: [
      {
        text: [
          '我先找到判断的位置。',
          '已完成：“{asked}”在入口加了一处检查和一个测试，其他没动。Reviewer，请看看没有输入的情况，这里我最没把握。',
        ],
        tools: [{ name: 'Read', input: 'README.md', result: '已读' }],
        next: ['reviewer'],
      },
      { text: '对。空输入现在也会拒绝，并且有了自己的测试。', next: ['reviewer'] },
    ],
    reviewer: [
      {
        text: '一个问题：输入为空时检查会放行，走的还是旧路径，等于可以绕过这次改动。其他都没问题。',
        next: ['author'],
      },
      { text: '没有问题了。两种情况都会拒绝，也都有测试。' },
    ],
  },
  debate: {
    bold: [
      {
        text: '关于“{asked}”：趁现在依赖的人少，整个换掉。得到的是一句话就能讲清楚的设计。代价是有一周什么别的都发布不了。',
      },
    ],
    careful: [
      {
        text: '关于“{asked}”：新旧并存，用开关控制，一次只迁移一处调用，每一步都能退回。放弃的是速度，而且有一个月同一件事会有两种做法。',
      },
    ],
    simple: [
      {
        text: '关于“{asked}”：先不做。写清楚什么时候才真正需要，只修好今天最疼的那一处。期待完整方案的人得再等等。',
      },
    ],
  },
  contest: {
    judge: [
      {
        text: '“{asked}”按三点评判：测试通过，覆盖没有输入的情况，其他改动尽量少。Alpha、beta 和 gamma，请开始。',
        next: ['alpha', 'beta', 'gamma'],
      },
      {
        text: '三个都通过了测试。Beta 覆盖了没有输入的情况，改动也最少：四行加一个测试。Gamma 同样正确，但长了一倍；alpha 漏了这种情况。应用 beta 的改动。',
      },
    ],
    alpha: [
      {
        text: ['我先找到判断的位置。', '在入口加了一处检查和一个测试。'],
        tools: [{ name: 'Read', input: 'README.md', result: '已读' }],
        next: ['judge'],
      },
    ],
    beta: [
      {
        text: '检查放在读取值的地方，所以没有输入的情况也覆盖了。四行加一个测试。',
        tools: [{ name: 'Bash', input: 'npm test', result: '43 个通过' }],
        next: ['judge'],
      },
    ],
    gamma: [{ text: '由单独的函数判断，测试里有一张用例表。这张表我不会再做一次。', next: ['judge'] }],
  },
};

/** Sentences of the dry run and the demo, in Chinese. */
export const chineseRehearsal: Catalogue['rehearsal'] = {
  noStateFolder: (folder, reason) =>
    `无法在 ${folder} 中创建临时目录：${reason}。把 TMPDIR 设为你可以写入的目录。`,
  opening: (names) => `这是一次试跑。用一句话说说你会先做什么。[NEXT: ${names.join(', ')}]`,
  plainReply: (name) => `我是 ${name}，正在试跑。收到的问题："{asked}"。`,
  demoTitle: '演示：由模拟智能体回复，不调用任何 CLI，不花钱。',
  demoOpening: '[TEAM_TASK] 为团队 wiki 设计登录\n\n你会怎么做，弱点在哪里？[NEXT: claude]',
  demoScript: {
    claude: [
      {
        text: [
          '我先看看 wiki 现在是怎么做的。',
          '用签名 cookie 保存会话 id，会话数据留在服务器上。Codex，这样做哪里会出问题？',
        ],
        tools: [{ name: 'Read', input: 'src/server.ts', result: '120 行' }],
        next: ['codex'],
      },
    ],
    codex: [
      {
        text: '签名密钥泄露的时候。每周轮换一次，并同时接受最近两个密钥。Gemini，用户会察觉到什么？',
        next: ['gemini'],
      },
    ],
    gemini: [{ text: '不会察觉，只要新密钥生效期间旧密钥仍然有效。' }],
  },
  replies: chineseReplies,
  notSaved: '试跑结束：没有花费，也没有保存。',
  next: [
    '下一步：',
    '  huddle init          在本目录创建团队文件',
    '  huddle doctor        检查已安装的 CLI',
    '  huddle run "消息"    和你的智能体跑完一场对话',
    '  huddle --help        列出所有命令',
  ],
};
