import type { StoreUrlFault } from '../english/sharedErrors.js';
import type { Catalogue } from '../words.js';

type SharedErrorCode =
  | 'STORE_OUT_OF_REACH'
  | 'STORE_REFUSED'
  | 'STORE_NOT_SET_UP'
  | 'STORE_URL'
  | 'NOT_YOURS';

/** The sentences in Chinese of errors about stores that many machines share. */
export const chineseSharedErrors: Pick<Catalogue['errors'], SharedErrorCode> = {
  STORE_OUT_OF_REACH: ({ store, detail }) =>
    `无法连接共享存储 ${store}：${detail}。最后发送的内容可能没有保存。检查网络和数据库，然后再试一次。`,
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
};

function wordUrlFault(fault: StoreUrlFault): string {
  if (fault === 'no-url') return '它不是 postgres:// URL，例如 postgres://kim@db.example.org/huddle。';
  if (fault === 'password')
    return '其中包含密码。把它删掉，并把密码放入 ~/.pgpass 或 PGPASSWORD，或使用客户端证书。';
  if ('setting' in fault)
    return `未知设置 "${fault.setting}"。可用：host、sslmode、sslrootcert、sslcert、sslkey。`;
  if ('twice' in fault) return `"${fault.twice}" 出现了两次。`;
  if ('file' in fault) return `无法读取证书文件 ${fault.file}。`;
  return `到 ${fault.unsafeHost} 的连接没有保护。加上 ?sslmode=verify-full，或使用 Unix 套接字或本机。`;
}
