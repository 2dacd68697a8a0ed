import type { Login } from '../../models/TurnOutcome.js';
import type { Catalogue } from '../words.js';
import { chineseWhy } from './why.js';
import { chineseWorkerFailures } from './workers.js';

const RETRY = '重试这一轮。';
const NO_REASON = '没有给出原因';

/** A failure in two sentences: what happened, and what to do. */
type Explanation = readonly [what: string, hint: string];

/** Describes the end of a process: `退出码 3`. */
export function chineseExit({ exitCode, signal }: { exitCode?: number; signal?: string }): string {
  return signal === undefined ? `退出码 ${exitCode}` : `被 ${signal} 终止`;
}

/** Describes how to log in: `运行 `codex login`，或设置 CODEX_API_KEY。` */
export function chineseLogin({ run, type, variables }: Login): string {
  const inside = run.includes(' ') ? '' : type === undefined ? ' 并登录' : ` 并输入 ${type}`;
  const key = variables?.length === 0 ? '在团队文件的 "credentials" 中写上密钥的变量名' : '';
  const instead = key || (variables ? `设置 ${variables.join(' 或 ')}` : '');
  return `运行 \`${run}\`${inside}${instead && `，或${instead}`}。`;
}

/** A failure in the agent's own words, and what to do. */
function reported(hint: string): (facts: { readonly detail?: string | undefined }) => Explanation {
  return ({ detail = NO_REASON }) => [detail, hint];
}

/** Sentences in Chinese for every reason why a turn failed. */
export const chineseFailures: Catalogue['failures'] = {
  'not-found': ({ program, label, install }) => {
    if (program.includes('/')) return [`${program} 不存在`, '检查团队文件中该成员的 command。'];
    const name = label === undefined ? program : `${label}（${program}）`;
    return [
      `PATH 中没有 ${name}`,
      install === undefined ? '安装它，或把它所在的目录加入 PATH。' : `安装：${install}`,
    ];
  },
  'not-executable': ({ file }) => [`${file} 不可执行`, `运行：chmod +x ${file}`],
  'not-trusted': ({ program, file }) => [
    `${program} 只在本项目内部，没有启动：${file}`,
    '看过之后运行：huddle trust',
  ],
  'not-runnable': ({ program, errno }) => {
    const [what, hint] = NOT_RUNNABLE[errno];
    return [`${program} ${what}（${errno}）`, hint];
  },
  'not-started': ({ program, errno }) =>
    errno === 'E2BIG'
      ? [`无法启动 ${program}：参数和环境变量过长（${errno}）`, '缩短系统提示词或环境变量。']
      : [`无法启动 ${program}（${errno}）`, '关闭其他程序，或调高上限（ulimit -n、ulimit -u），然后重试。'],
  'no-working-folder': ({ folder }) => [`工作目录 ${folder} 不存在`, '创建该目录。'],
  'no-temporary-files': ({ errno }) => [`无法写入临时文件（${errno}）`, '清理临时目录，腾出空间。'],
  'no-copy': ({ detail = NO_REASON }) => [
    `它在目录的副本中工作，而副本无法创建（${detail}）`,
    '解决后重试。要直接在目录中工作，把 files 的 blind（或该成员的 workspace）设为 "shared"。',
  ],
  'check-not-run': ({ program, exitCode, detail }) => [
    program === undefined
      ? `检查无法运行：${detail ?? NO_REASON}（退出码 ${exitCode}）`
      : `检查无法运行：找不到 ${program}，或无法启动`,
    '这不说明改动有问题。安装它需要的程序（在副本中：files 的 setup），然后重试。',
  ],
  'adapter-broke': ({ detail = '没有报告结果就停止了' }) => [
    `这一轮无法运行（${detail}）`,
    '检查团队文件中的该成员，然后重试。',
  ],
  'login-needed': ({ status, login, ways, detail, command }) => [
    detail ?? (status === undefined ? '无法登录' : `服务拒绝了登录（HTTP ${status}）`),
    login
      ? chineseLogin(login)
      : ways === undefined
        ? `用它自己的命令${command ? `（${command}）` : ''}登录。`
        : `登录：${ways}。`,
  ],
  'prompt-too-long': reported('调低该成员的 window 或 context.maxBytes，然后重试。'),
  'unknown-model': reported('检查团队文件中该成员的 model。'),
  'rate-limited': reported('稍后重试，或换一个成员。'),
  outage: reported('服务暂时出错。稍后重试。'),
  'agent-limit': reported('这是智能体自己的上限：在它那里调高，或减少要求。'),
  'agent-error': reported('重试；如果仍然失败，手动运行该命令查看详情。'),
  'agent-interrupted': ({ during }) => [during === 'tool' ? '在运行工具时中断' : '已中断', RETRY],
  'outdated-agent': ({ label, detail = NO_REASON }) => [
    detail,
    `更新 ${label}：它不认识 Huddle 需要的一个选项。`,
  ],
  'root-refused': reported(
    '不要以 root 运行，或把该成员的权限改为 `edit`；如果在容器中，设置 IS_SANDBOX=1。',
  ),
  'bad-agent-settings': ({ label, file, detail = NO_REASON }) => [detail, `改正 ${label} 自己的 ${file}。`],
  'servers-unlisted': ({ run }) => [
    '没有列出它的 MCP 服务器，因此无法限定为 "read"',
    `运行 \`${run}\` 查看原因。如果它不认识这个命令，更新该智能体。`,
  ],
  'no-session-id': () => ['打开了会话但没有给出 id', '更新该智能体。'],
  'no-mode': ({ permission, offered }) => [
    `该智能体没有与权限 "${permission}" 对应的已知模式；${offered ? `它提供：${offered}` : '它没有提供任何选择'}`,
    '更新 Huddle，或在团队文件中修改该成员。',
  ],
  'no-model': ({ model, offered }) => [
    `该智能体没有模型 "${model}"；${offered ? `它提供：${offered}` : '它没有提供任何选择'}`,
    '换成其中一个，或在团队文件中修改该成员。',
  ],
  'other-protocol': ({ found, needed }) => [
    `使用 Agent Client Protocol 的${found === undefined ? '未知版本' : `版本 ${found}`}，需要版本 ${needed}`,
    '更新该智能体，或更新 Huddle。',
  ],
  'stopped-early': ({ stopReason }) => STOPPED.get(stopReason) ?? [`提前停止：${stopReason}`, RETRY],
  'bad-exit': ({ exitCode, signal }) => [
    exitCode === undefined && signal === undefined
      ? '关闭了输出但没有退出'
      : chineseExit({ exitCode, signal }),
    '手动运行该命令查看原因。',
  ],
  'session-unknown': ({ detail }) => [
    detail === undefined ? '无法重新打开之前的会话' : `无法打开它的会话（${detail}）`,
    RETRY,
  ],
  'prompt-budget': ({ maxBytes, neededBytes, sections }) => [
    `提示词超出 ${maxBytes} 字节的预算：至少需要 ${neededBytes} 字节（${sizes(sections)}）`,
    '缩短内容，或调高团队文件的 context.maxBytes。',
  ],
  'no-final-event': ({ exitCode, signal, detail }) => [
    `没有完成回复就退出了${exitCode || signal ? `（${chineseExit({ exitCode, signal })}）` : ''}${detail === undefined ? '' : `；它的输出：${detail}`}`,
    RETRY,
  ],
  'line-too-long': ({ lines }) => [
    `有 ${lines} 行输出过长，无法读取，也没有收到其他文字`,
    '要求更短的回复，或让它写进文件。',
  ],
  ...chineseWorkerFailures,
};

const NOT_RUNNABLE = {
  ENOENT: ['存在，但它首行指定的解释器不存在', '重新安装它，或安装它的解释器。'],
  EACCES: ['不可执行', '检查该程序的权限。'],
  ENOEXEC: ['不是本系统能运行的程序', '重新安装它。'],
} as const;

/** By the words of the Agent Client Protocol. */
const STOPPED: ReadonlyMap<string, Explanation> = new Map([
  ['max_tokens', ['回复达到了模型的输出 token 上限', '一次少问一些，或让它继续写完。']],
  ['max_turn_requests', ['这一轮向模型发出的请求超过了智能体的上限', `一次少问一些。${RETRY}`]],
  ['refusal', ['模型拒绝回答', '换个问法，或换一个成员。']],
  ['cancelled', ['智能体自己停止了这一轮', RETRY]],
]);

const SECTIONS: Readonly<Record<string, string>> = chineseWhy.sections;

function sizes(sections: Readonly<Record<string, number>>): string {
  return Object.entries(sections)
    .map(([name, bytes]) => `${SECTIONS[name] ?? name} ${bytes}`)
    .join('，');
}
