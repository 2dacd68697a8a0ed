import type { Catalogue } from '../words.js';
import { chineseReplies } from './replies.js';

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
