import type { FleetRefusal } from '../../models/WorkerFile.js';
import type { fleetErrorText } from '../english/fleetErrors.js';

/** The same in Chinese. */
export const chineseFleetErrors: typeof fleetErrorText = {
  UNKNOWN_WORKER: ({ role }) =>
    `这个共享存储中没有工作节点 "${role}"。共享存储的所有者可以用 \`huddle store invite <store> ${role} --worker\` 添加它。`,
  FLEET_REFUSED: ({ worker, refusal }) => `${worker} 已拒绝：${wordRefusal(refusal)}没有运行任何内容。`,
  FLEET_BUSY: () => '这个会话由一个工作节点持有，只处理它收到的请求。等它结束后再说：huddle resume。',
};

function wordRefusal(refusal: FleetRefusal): string {
  switch (refusal.because) {
    case 'unknown-key':
      return `它不认识这台机器的密钥。在它的工作节点文件的 "askers" 中加上 ${JSON.stringify(refusal.asker)}: ${JSON.stringify(refusal.key)}。`;
    case 'no-team':
      return `它没有团队 ${JSON.stringify(refusal.team)}。在它的工作节点文件的 "teams" 中加上它。`;
    case 'no-person':
      return `它的团队 ${JSON.stringify(refusal.team)} 中没有与你的角色对应的人。在团队文件中加上 { "name": ${JSON.stringify(refusal.asker)}, "type": "human" }。`;
    case 'team-unusable':
      return `它的团队 ${JSON.stringify(refusal.team)} 无法使用，原因在工作节点上显示。`;
    case 'not-prepared':
      return `无法为它的团队 ${JSON.stringify(refusal.team)} 准备目录，原因在工作节点上显示。`;
    default:
      return REFUSED[refusal.because];
  }
}

const OTHER = '这个请求是为别的内容发出的。可能有人在存储里改动过它。';
const UNREADABLE = '无法读取请求。其中一台机器上的 Huddle 可能太旧。';

const REFUSED = {
  'bad-subject': '主题最多 200 个字母、数字和 _ . / # -。',
  'asked-before': '这个请求已经运行过。可能有人删除了对话，或把请求放回了存储。重新运行命令。',
  expired: '请求已过期。检查两台机器的时钟是否一致，然后再次运行。',
  'bad-signature': '请求的签名不对。可能有人在存储里改动过它。',
  'other-store': OTHER,
  'other-turn': OTHER,
  'newer-version': UNREADABLE,
  unreadable: UNREADABLE,
  'other-conversation': '这个 id 已属于另一个会话。再次运行即可。',
};
