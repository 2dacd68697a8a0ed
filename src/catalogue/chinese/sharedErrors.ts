import type { StoreDistrust, StoreLack, StoreUrlFault } from '../english/sharedErrors.js';
import type { Catalogue } from '../words.js';

type SharedErrorCode =
  | 'STORE_OUT_OF_REACH'
  | 'STORE_REFUSED'
  | 'STORE_NOT_SET_UP'
  | 'STORE_URL'
  | 'NOT_YOURS'
  | 'NOT_IN_CONVERSATION';

/** The sentences in Chinese of errors about stores that many machines share. */
export const chineseSharedErrors: Pick<Catalogue['errors'], SharedErrorCode> = {
  STORE_OUT_OF_REACH: ({ store, detail, distrust, lack, heldUpBy }) => {
    if (heldUpBy !== undefined)
      return `共享存储 ${store} 中所需的内容被${heldUpBy === '' ? '数据库的另一个会话' : ` ${heldUpBy} `}的未结束事务锁定。没有任何改动。再试一次；如果一直锁定，由${heldUpBy === '' ? '数据库的所有者' : ` ${heldUpBy} 或数据库的所有者`}结束该事务。`;
    if (distrust !== undefined) return `共享存储 ${store} 的服务器不可信：${wordDistrust(distrust, detail)}`;
    if (lack !== undefined) return wordLack(lack, store);
    return `无法连接共享存储 ${store}：${detail}。最后发送的内容可能没有保存。检查网络和数据库，然后再试一次。`;
  },
  STORE_REFUSED: ({ store, role, detail, isLogin }) =>
    isLogin
      ? `数据库 ${store} 拒绝了登录角色 ${role}：${detail}。把密码放入 ~/.pgpass 或 PGPASSWORD，或使用客户端证书。`
      : `共享存储 ${store} 拒绝了 ${role}：${detail}。由它的所有者运行：huddle store invite`,
  STORE_NOT_SET_UP: ({ store, isOlder }) =>
    isOlder
      ? `共享存储 ${store} 由较旧的 Huddle 创建。由它的所有者运行：huddle store upgrade`
      : `数据库 ${store} 中没有共享存储。它的所有者可以创建：huddle store init`,
  STORE_URL: ({ fault }) => `无法使用共享存储的这个 URL：${wordUrlFault(fault)}`,
  NOT_YOURS: ({ id, creator }) => `会话 ${id} 由 ${creator} 创建。只有 ${creator} 或存储的所有者可以这样做。`,
  NOT_IN_CONVERSATION: ({ id, role }) =>
    `会话 ${id} 开始时没有角色为 "${role}" 的人，因此你可以查看，但不能持有它。在你自己的副本中继续：huddle fork ${id}`,
};

function wordLack(lack: StoreLack, store: string): string {
  const unsaved = '最后发送的内容可能没有保存。';
  const sentences: Readonly<Record<StoreLack, string>> = {
    disk: `共享存储 ${store} 的磁盘已满。${unsaved}由它的所有者释放空间，然后再试一次。`,
    memory: `共享存储 ${store} 的服务器内存不足。${unsaved}稍后再试，或联系它的所有者。`,
    connections: `共享存储 ${store} 的服务器没有空闲连接。${unsaved}稍后再试，或由它的所有者调高 max_connections。`,
    resources: `共享存储 ${store} 的服务器达到了自身的限制。${unsaved}稍后再试，或联系它的所有者。`,
  };
  return sentences[lack];
}

function wordDistrust(distrust: StoreDistrust, detail: string): string {
  const sentences: Readonly<Record<StoreDistrust, string>> = {
    'no-tls': '它不提供 TLS。没有发送任何内容。由服务器的所有者启用 TLS。',
    'unknown-authority': `签发其证书的机构不在你信任的机构之列（${detail}）。没有发送任何内容。在地址中加上 sslrootcert=FILE，指向签发机构的证书文件。`,
    'other-host': `它的证书属于 ${detail}。没有发送任何内容。在地址中使用证书里的名称。`,
    expired: '它的证书已过期。没有发送任何内容。由服务器的所有者更新证书，并检查本机时钟。',
    invalid: `它的证书无效（${detail}）。没有发送任何内容。联系服务器的所有者，并检查本机时钟。`,
  };
  return sentences[distrust];
}

function wordUrlFault(fault: StoreUrlFault): string {
  if (fault === 'no-url') return '它不是 postgres:// URL，例如 postgres://kim@db.example.org/huddle。';
  if (fault === 'password')
    return '其中包含密码。把它删掉，并把密码放入 ~/.pgpass 或 PGPASSWORD，或使用客户端证书。';
  if (fault === 'no-key') return '其中有客户端证书，却没有对应的密钥。加上 sslkey=FILE。';
  if ('unusable' in fault)
    return fault.unusable === 'sslcert'
      ? `客户端证书和密钥无法使用（${fault.reason}）。检查 sslcert 和 sslkey 指向的文件。`
      : `sslrootcert 指向的文件中没有证书（${fault.reason}）。`;
  if ('setting' in fault)
    return `未知设置 "${fault.setting}"。可用：host、port、sslmode、sslrootcert、sslcert、sslkey。`;
  if ('port' in fault) return `"${fault.port}" 不是端口。使用 1 到 65535 之间的数字。`;
  if ('twice' in fault) return `"${fault.twice}" 出现了两次。`;
  if ('file' in fault) return `无法读取证书文件 ${fault.file}。`;
  return `到 ${fault.unsafeHost} 的连接没有保护。加上 ?sslmode=verify-full，或使用 Unix 套接字或本机。`;
}
