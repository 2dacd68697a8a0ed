import type { notRecordedText } from '../english/notRecorded.js';

/** The sentence in Chinese for each reason why changes of files are not recorded. */
export const chineseNotRecorded: typeof notRecordedText = {
  'no-git': () => '未记录文件改动：没有安装 git。安装 git 2.34 或更高版本。',
  'old-git': (version) => `未记录文件改动：需要 git 2.34 或更高版本，当前为 ${version}。`,
  'wide-folder': () => '在主目录及其上级目录中不记录文件改动。在项目目录中启动 Huddle。',
  'too-many-files': () => '未记录文件改动：这里未忽略的文件超过 200,000 个。把生成的文件加入 .gitignore。',
  'too-much-content': () => '未记录文件改动：这里未忽略的文件超过 2 GB。把大文件加入 .gitignore。',
  'too-slow': () => '不再记录文件改动：查看本目录已三次超时。要一直关闭，把 files.record 设为 false。',
  stopped: () => '本会话不记录文件改动：你停止了对目录的首次查看。',
  'no-room': () => '不再保存改动前后的文件内容，因此无法撤销：已保存 2 GB。删除旧会话：huddle delete',
  'disk-full': (detail) => `未记录这一轮的文件改动：磁盘已满${because(detail)}。`,
  'irregular-file': (path) =>
    `未记录这一轮的文件改动：${path} 是管道、设备或套接字，git 会一直等待它。将其移走。`,
  elsewhere: (machine) => `不记录在 ${machine} 上运行的轮次的文件改动：改动发生在那里的目录，不在这里。`,
  failed: (detail) => `未记录这一轮的文件改动：git 失败${because(detail)}。`,
};

function because(detail: string): string {
  return detail === '' ? '' : `（${detail}）`;
}
