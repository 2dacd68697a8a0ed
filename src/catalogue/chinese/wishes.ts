import type { Catalogue } from '../words.js';

/** Words of permission requests in Chinese. */
export const chineseWishes: Catalogue['wishes'] = {
  actions: {
    read: '读取文件',
    edit: '编辑文件',
    delete: '删除文件',
    move: '移动文件',
    search: '搜索',
    execute: '运行命令',
    fetch: '获取内容',
    switch_mode: '切换模式',
  },
  use: (tool) => `使用 ${tool}`,
  with: (action, tool) => `${action}（${tool}）`,
  labels: {
    command: '命令    ',
    outside: '目录外  ',
    file: '文件    ',
    title: '标题    ',
    input: '输入    ',
    continued: '        ',
  },
  newFile: (path) => `${path}（新文件）`,
  nothingChanges: '没有变化',
  unchanged: (lines) => `${lines} 行未变`,
  noLineEnd: '此处没有换行',
};
