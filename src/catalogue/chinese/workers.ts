import type { Catalogue } from '../words.js';

type Refused = Parameters<Catalogue['failures']['worker-refused']>[0];
type Explanation = readonly [what: string, hint: string];

const tampered = ({ worker }: { readonly worker: string }) =>
  [
    `${worker} 拒绝了与签名不符的请求`,
    '可能有人在存储里改动过它。重试；如果再次发生，告诉存储的所有者。',
  ] as const;

const REFUSED: { readonly [Because in Refused['because']]: (facts: Refused) => Explanation } = {
  'unknown-key': ({ worker, asker = 'you', key = '' }) => [
    `${worker} 不认识这台机器的密钥`,
    `在它的工作节点文件的 "askers" 中加上：${JSON.stringify(asker)}: ${JSON.stringify(key)}`,
  ],
  'asker-not-allowed': ({ worker, member, asker = 'you' }) => [
    `${worker} 不允许 ${asker} 使用 ${member}`,
    `在它的工作节点文件里，把 ${JSON.stringify(asker)} 加进 ${member} 的 "askers"。`,
  ],
  'not-offered': ({ worker, member, agentType = '' }) => [
    `${worker} 不运行 ${member}`,
    `在它的工作节点文件的 "members" 中加上：{ "name": ${JSON.stringify(member)}, "agentType": ${JSON.stringify(agentType)}, "folder": "…" }`,
  ],
  'other-agent': ({ worker, member, agentType = '' }) => [
    `${member} 在 ${worker} 上是另一种智能体`,
    `把团队文件里 ${member} 的 "agentType" 设为 ${JSON.stringify(agentType)}。`,
  ],
  'asked-before': ({ worker }) => [`${worker} 之前已收到过这一轮的请求`, '重试会发起新的一轮。'],
  'too-large': ({ worker }) => [
    `这一轮对 ${worker} 来说太大（请求最多 4 MB，一轮最多 64 MB）`,
    '调低团队文件的 context.maxBytes，或一次少问一些。',
  ],
  expired: ({ worker }) => [`${worker} 收到请求时，请求已过期`, '检查两台机器的时钟是否一致，然后重试。'],
  'bad-signature': tampered,
  'other-store': tampered,
  'other-turn': tampered,
  'newer-version': ({ worker, found, known }) => [
    `${worker} 最高支持版本 ${known} 的请求，这个请求的版本是 ${found}`,
    `更新 ${worker} 上的 Huddle。`,
  ],
  unreadable: tampered,
};

/** Failures of turns that run on another machine, in Chinese. */
export const chineseWorkerFailures: Pick<Catalogue['failures'], 'no-worker' | 'worker-refused'> = {
  'no-worker': ({ worker, minutes, account, isUnknown }) => {
    if (isUnknown)
      return [
        `${worker} 不是这个存储的工作节点`,
        `检查团队文件里的 "runsOn"，或让存储的所有者运行：huddle store invite NAME ${worker} --worker`,
      ];
    return account === undefined
      ? [`${minutes} 分钟内没有 ${worker} 的工作节点接手这一轮`, '在那台机器上运行 huddle worker，然后重试。']
      : [
          `账号 ${account} 在 ${worker} 上 ${minutes} 分钟内没有空位`,
          '稍后重试，或在工作节点文件的 "accounts" 中调高它的数字。',
        ];
  },
  'worker-refused': (facts) => REFUSED[facts.because](facts),
};

/** Notices about turns that run on another machine, in Chinese. */
export const chineseWorkerNotices: Pick<Catalogue['notices'], 'worker-lost'> = {
  'worker-lost': ({ memberId, worker }, nameOf) =>
    `${worker} 已离线，${nameOf(memberId)} 的这一轮已中断。没有重新运行，可以手动重试。`,
};

/** Errors about the files of a machine that others rely on, in Chinese. */
export const chineseWorkerErrors: Pick<
  Catalogue['errors'],
  'FILE_OPEN_TO_OTHERS' | 'KEY_UNREADABLE' | 'NEEDS_SHARED_STORE'
> = {
  FILE_OPEN_TO_OTHERS: ({ file, folder, mode, isOfOther, forbidden }) => {
    if (folder !== undefined)
      return isOfOther
        ? `目录 ${folder} 属于另一个用户，对方可以替换 ${file}。把文件移到你自己的目录。`
        : `其他用户可以写入 ${folder}（权限 ${mode}），因此可以替换 ${file}。检查其中的内容，然后运行：chmod go-w ${folder}`;
    if (isOfOther) return `${file} 属于另一个用户。改用你自己的文件。`;
    return forbidden === 'read'
      ? `其他用户可以读取 ${file}（权限 ${mode}）。运行：chmod 600 ${file}。如果可能有人读过，换一个：huddle key --new`
      : `其他用户可以改动 ${file}（权限 ${mode}）。检查其中的内容，然后运行：chmod go-w ${file}`;
  },
  KEY_UNREADABLE: ({ file }) => `${file} 里没有私钥。恢复它，或生成新的：huddle key --new`,
  NEEDS_SHARED_STORE: ({ members }) =>
    `${members.join('、')} 在另一台机器上运行（"runsOn"），需要共享存储。加上 --store NAME，或删掉 "runsOn"。`,
};

/** Words about turns and members of other machines, in Chinese. */
export const chineseElsewhere: Catalogue['elsewhere'] = {
  waits: (name, worker, why) => `等待 ${worker} 运行 ${name}（${why}）`,
  seen: (ago) => `上次在线：${ago}`,
  never: '从未在线',
  busy: '忙碌中',
  full: (name, account, running, atOnce) => `${name} 等待中：${account} 已用 ${running}/${atOnce}`,
  runsOn: (worker) => `在 ${worker} 上`,
};

/** Words of `huddle worker` in Chinese. */
export const chineseWorkers: Catalogue['workers'] = {
  here: (place, members, atOnce) =>
    `${place} 运行 ${members.join('、') || '零个成员'}（同时 ${atOnce} 轮）。按 Ctrl-C 停止。`,
  noAskers: '工作节点文件里没有 "askers"，所有请求都会被拒绝。加上 huddle key 显示的那一行。',
  asked: (asker, member, turn) => `${asker} 请求 ${member}（${turn}）`,
  ended: (member, turn, outcome, duration) => `${member} ${outcome}，用时 ${duration}（${turn}）`,
  outcomes: {
    completed: '已完成',
    failed: '失败',
    cancelled: '已停止',
    'timed-out': '超时',
    interrupted: '已中断',
  },
  withdrawn: (member, turn) => `${member} 已停止：这一轮已撤回（${turn}）`,
  refused: (role, member, turn, why) => `已拒绝 ${role} 对 ${member} 的请求（${turn}）：${why}`,
  finishing: (count) => `不再接手新的轮次；还有 ${count} 轮在运行。再按 Ctrl-C 停止。`,
  noFile: (file, example) =>
    `没有工作节点文件：${file} 不存在。它规定这里可以运行什么、谁可以提出请求。新建该文件，例如：\n${example}\n全部字段：docs/machines.md 的 "The worker file"。改用其他文件：huddle worker --file FILE`,
  exampleFile: (store, folder) => `{
  "version": 1,
  "store": ${store},
  "askers": { "kim": "ed25519:…" }, // 在 kim 的机器上运行 huddle key，粘贴其输出
  "members": [{ "name": "sarah", "agentType": "codex", "folder": ${folder} }]
}`,
  whichStore: '用哪个存储？加上 --store NAME，或在工作节点文件里写 "store"。',
  stopping: '正在停止运行中的轮次。',
};
