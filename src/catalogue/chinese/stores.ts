import type { Catalogue } from '../words.js';

/** Sentences about shared stores and the key of this machine, in Chinese. */
export const chineseStores: Catalogue['stores'] = {
  unknown: (name, near) =>
    `本机没有共享存储 "${name}"，没有发送任何内容。${near === undefined ? '' : `是不是 ${near}？`}添加：huddle store add ${name} URL`,
  inTeamFile: (name, file) => `${file} 中的 "store": "${name}"`,
  unknownNamed: (source, message) => `${source}：${message}`,
  local: '本机的会话',
  inUse: (name) => `共享存储：${name}`,
  noAs: '共享存储不支持 --as：你以登录的角色发言。',
  otherStore: (name, file) =>
    `${file === '' ? '本目录' : file} 的对话保存在存储 "${name}" 中，而这个服务用的是另一个。没有保存任何内容。启动服务时加上 --store ${name}。`,
  badName: (name) =>
    `"${name}" 不能作为存储名：要 1 到 32 个字母、数字、"."、"-" 或 "_"，且不能是 "local"（表示本机的会话）。`,
  unsafeFile: (file) =>
    `其他用户可以修改 ${file}，从而把你的对话发往别处。没有读取任何内容。改为只有你可以访问：chmod 600 ${file}`,
  invalidFile: (file, reason) => `${file} 有误：${reason}。改正，或删除后重新添加：huddle store add NAME URL`,
  fileShape: '应为 {"version": 1, "stores": {"NAME": "URL", …}}',
  noConfigFolder: '没有主目录，无法保存存储的名称。把 XDG_CONFIG_HOME 设为你自己的目录。',
  exists: (name, url) => `"${name}" 已指向 ${url}。没有改动。换个名字，或加上 --force 替换`,
  added: (name, url) => `已添加 ${name}：${url}`,
  nextCheck: (name) => `检查：huddle store check ${name}`,
  created: (name) => `已创建共享存储 ${name}。`,
  isThere: (name) => `${name} 已是共享存储，其中没有任何改动。`,
  cannotCreate: (reason) =>
    `数据库拒绝创建存储：${reason}。没有创建任何内容。改用拥有该数据库的登录，或由它执行：GRANT CREATE ON DATABASE`,
  notOwner: (role, owner) => `你在那里的角色是 ${role}，只有所有者可以这样做。没有改动。联系 ${owner}。`,
  badRole: (role) => `不能授权 "${role}"：角色名为 1 到 63 字节，且不能是 "public"、"none" 或 "pg_…"。`,
  cannotInvite: (role, reason) =>
    `数据库拒绝授权 ${role}：${reason}。没有改动。如果它不能创建角色，由管理员执行 CREATE ROLE ${role} LOGIN，然后重试。`,
  unknownRole: (role, near, members) =>
    `${role} 在这里没有权利。${near === undefined ? `已授权：${members.join('、') || '还没有人'}。` : `是不是 ${near}？`}没有改动。`,
  ownerStays: (role) => `${role} 拥有该存储，不能移除。没有改动。`,
  cannotUpgrade: (reason) => `数据库拒绝升级存储：${reason}。没有改动。只有所有者可以升级。`,
  nextInvite: (name) => `授权其他人：huddle store invite ${name} ROLE（工作节点加上 --worker）`,
  nextUse: (name) =>
    `使用：huddle --store ${name}，或 HUDDLE_STORE=${name}，或在团队文件中写 "store": "${name}"`,
  invited: (role, name) => `${role} 现在可以使用 ${name}。`,
  invitedWorker: (role, name) => `${role} 现在可以使用 ${name}，并为它运行轮次。`,
  nextAdd: (name, url) => `在那台机器上：huddle store add ${name} "${url}"`,
  noPassword: (role) =>
    `该角色没有密码。${role} 如何登录由服务器决定：用证书，或在 psql 中用 \\password ${role} 设定密码。`,
  removed: (role, name) =>
    `${role} 不能再使用 ${name}。${role} 写下的内容保留。要删除登录本身：在 psql 中 DROP ROLE`,
  upgraded: (name, from, to) => `已把 ${name} 从版本 ${from} 升级到 ${to}。`,
  upToDate: (name, version) => `${name} 的版本是 ${version}，已是此 Huddle 认识的最新版本。`,
  none: '没有共享存储。会话保存在本机。添加：huddle store add NAME URL',
  heads: { name: '名称', url: '地址', chosen: '' },
  chosenHere: '此处使用',
  checkWhich: '此处没有使用共享存储。写明要检查哪一个；huddle store list 会列出。',
  needsUrl: '用 --url postgres://ROLE@HOST/DATABASE?sslmode=verify-full 写明数据库。',
  check: {
    labels: {
      address: '地址',
      connection: '连接',
      role: '你的角色',
      server: '服务器',
      tables: '数据表',
      members: '已授权',
      here: '在线',
      offered: '提供',
    },
    connection: {
      tls: (store) => `TLS，证书已校验（${store}）`,
      socket: (store) => `Unix 套接字（${store}）`,
      loopback: (store) => `本机，无 TLS（${store}）`,
    },
    asOwner: (role) => `${role}，所有者：可以授权、移除和升级`,
    asMember: (role, owner) => `${role}（所有者是 ${owner}）`,
    tables: (version) => `版本 ${version}`,
    invited: '还没有人',
    nobody: '没有人',
    processes: (place, count) => (count === 1 ? place : `${place}（${count} 个进程）`),
    nothing: '无；由工作节点提供成员：huddle worker',
    offers: (role, members, teams) => {
      const ofTeams = teams.length === 0 ? [] : [`团队 ${teams.join('、')}`];
      return `${role}：${[...members, ...ofTeams].join('、')}`;
    },
    ok: (name) => `${name} 可以使用。`,
  },
  key: {
    replaced: '工作节点只认识旧密钥，在其文件中替换之前会一直接受它。',
    howTo: (file) => `写入你要使用的工作节点文件的 "askers"。私钥留在 ${file} 中。`,
  },
};
