import type { Catalogue } from '../words.js';

/** Reasons in Chinese why a file or folder cannot be used. */
export const chineseReasons: Catalogue['reasons'] = {
  system: {
    EACCES: '没有访问权限',
    EPERM: '没有访问权限',
    EROFS: '文件系统只读',
    ENOSPC: '磁盘已满',
    EDQUOT: '磁盘配额已满',
    EFBIG: '文件会过大',
    EIO: '设备报告错误',
    ENOENT: '文件或目录不存在',
    ENOTDIR: '应为目录的位置有同名文件',
    EEXIST: '应为目录的位置有同名文件',
    EISDIR: '这是一个目录',
    ELOOP: '链接指向自身',
    EMFILE: '打开的文件过多',
  },
  sqlite: {
    3: '没有访问权限',
    5: '另一个进程正在占用',
    6: '已被锁住',
    8: '只读',
    10: '设备报告错误',
    13: '磁盘或文件已满',
    14: '无法打开',
  },
  withCode: (reason, code) => `${reason}（${code}）`,
  unsafe: {
    'link-of-other': (path) => `${path} 是其他用户的链接`,
    'of-other': (path) => `${path} 属于其他用户`,
    'open-to-others': (path, mode) => `其他用户可以写入 ${path}（权限 ${mode}）`,
    link: (path) => `${path} 是链接`,
    irregular: (path) => `${path} 不是普通文件`,
  },
};
