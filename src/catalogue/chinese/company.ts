import type { companyErrorText, companyNoticeText } from '../english/company.js';
import type { Catalogue } from '../words.js';

export const chineseCompany: Catalogue['company'] = {
  heldBy: (holder) => `由 ${holder} 持有`,
  here: (roles) => `在线 ${roles.join('、')}`,
  holderGone: (role) => `${role} 的机器已离线。输入消息可在此继续。`,
  holderLeft: (role) => `${role} 已退出。输入消息可在此继续。`,
  cutOff: (names) => `${names.join('、')} 的轮次已中断`,
  heldHere: '由本进程持有',
  heldByNoOne: '无人持有',
  noHolder: '没有人打开这场对话。输入消息可在此继续。',
  follows: (holder) => `${holder} 已打开这场对话：你在跟随，输入的内容会发到那里。`,
  readsOnly: (role) => `团队中没有角色为 "${role}" 的人，你只能查看，不能发言。`,
  silent: (time) => `共享存储无响应（${time}）`,
  stopped: '共享存储无响应。运行中的轮次已停止，Huddle 会继续重连。',
  tries: '共享存储无响应。Huddle 会继续重连。',
  sending: (text) => `尚未保存：${text}`,
  notSaved: (text) => `尚未保存：${text}`,
  back: '共享存储已恢复。',
  lost: (holder) => `${holder} 已接管。你现在跟随这场对话。`,
};

export const chineseCompanyNotices: typeof companyNoticeText = {
  'wish-refused': ({ role, because }) => {
    if (because === 'stranger') return `已拒绝：团队中没有角色为 "${role}" 的人。它只能查看对话，不能参与。`;
    return because === 'empty'
      ? `已拒绝：${role} 的消息为空。`
      : `已拒绝：此版本的 Huddle 无法读取 ${role} 的请求。`;
  },
  'unproven-speaker': ({ recordedBy }, claimed) =>
    `${recordedBy} 以 ${claimed} 的名义记录了一条消息，但 ${claimed} 没有发送过。该消息不显示。`,
  'left-out': ({ recordedBy, because }) => {
    const effect = '这些内容不生效，智能体也读不到。';
    if (because === 'stranger')
      return `已略去 ${recordedBy} 在此记录的内容：这场对话中没有该角色对应的人。${effect}`;
    return because === 'unproven'
      ? `已略去 ${recordedBy} 以他人名义记录的内容，本人并未这样做。${effect}`
      : `已略去 ${recordedBy} 在此记录的内容：此版本的 Huddle 无法读取。${effect}`;
  },
};

export const chineseCompanyErrors: typeof companyErrorText = {
  ROLE_NOT_IN_TEAM: ({ role }) =>
    `团队中没有角色为 "${role}" 的人，只能查看，不能发言。在团队文件中加上：{ "name": "${role}", "type": "human" }`,
  SPEAKS_AS_ITSELF: ({ role }) => `在共享存储中每个人以自己的身份发言。你是 ${role}。`,
  FILES_ELSEWHERE: ({ holder }) =>
    `这场对话的文件在${holder === null ? '成员运行过的机器' : ` ${holder} `}上。到那里撤销或应用改动。`,
  HOLDER_GONE: ({ holder, id }) =>
    `${holder === null ? '没有人打开这场对话' : `${holder} 已离线`}，没有轮次在运行。发送消息可在此继续（脚本中：huddle resume ${id} "消息"）。`,
  WISH_TOO_LARGE: ({ bytes, maxBytes }) => `内容有 ${bytes} 字节，上限是 ${maxBytes} 字节。`,
  WISH_NOT_TAKEN: () => '处理之前对话已换了持有者。再试一次。',
};
