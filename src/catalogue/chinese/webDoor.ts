import type { webErrorText } from '../english/webDoor.js';
import type { Catalogue } from '../words.js';

/** Sentences of `huddle web` in the terminal, and what to do about requests that its server refuses, in Chinese. */
export const chineseWebDoor: Catalogue['webDoor'] = {
  address: (address) => `打开 ${address}`,
  watchAddress: (address) => `打开 ${address}（仅旁观）`,
  once: '其中的访问码只能用一次，10 分钟内有效。',
  onceOrEnter: '其中的访问码只能用一次，10 分钟内有效。按 Enter 换新码，按 Ctrl-C 停止。',
  otherPort: (usual, port) => `端口 ${usual} 已占用，改用 ${port}。`,
  letIn: {
    full: (browsers) => `已放行一个浏览器（完全）。共 ${browsers} 个。`,
    watch: (browsers) => `已放行一个浏览器（旁观）。共 ${browsers} 个。`,
  },
  anotherAddress: (address) => `再加一个浏览器：${address}`,
  opened: (code) => `正在打开浏览器。在页面中粘贴访问码：${code}`,
  cannotOpen: '找不到可以打开浏览器的程序。自行打开上面的地址。',
  badPort: '必须是 0 到 65535 的端口（0：任意空闲端口）。',
  hints: {
    NOT_LOGGED_IN: '打开终端中显示的地址。在终端按 Enter 可换新地址。',
    WRONG_CODE: '访问码只能用一次，10 分钟内有效。在终端按 Enter 换新码。',
    WRONG_ORIGIN: '打开终端中显示的地址。',
    CROSS_SITE: '把地址粘贴到浏览器的地址栏。',
    READ_ONLY: '索取一个有完全权限的地址。',
    WRONG_HOST: '地址中用 127.0.0.1 或 localhost。',
    TOO_MANY_WRONG_CODES: '等一分钟，或使用最新的访问码：正确的访问码始终有效。',
  },
};

/** Sentences of the errors of `huddle web`, in Chinese. */
export const chineseWebErrors: Pick<Catalogue['errors'], keyof typeof webErrorText> = {
  INVALID_REQUEST: ({ detail }) => `请求无效。${detail === undefined ? '' : `（${detail}）`}`,
  NOT_LOGGED_IN: () => '这个浏览器还没有放行。',
  WRONG_CODE: () => '访问码不对。',
  WRONG_ORIGIN: () => '请求来自另一个页面。',
  CROSS_SITE: () => '请求来自另一个网站。',
  READ_ONLY: () => '这个浏览器只能旁观。',
  NOT_FOUND: () => '这里没有内容。',
  METHOD_NOT_ALLOWED: () => '这里不支持该方法。',
  REQUEST_TIMEOUT: () => '请求超时。',
  BODY_TOO_LARGE: () => '请求太大。没有改动任何内容。',
  NOT_JSON: () => '改动要以 application/json 发送。',
  WRONG_HOST: () => '请求的主机名不对。',
  TOO_MANY_WRONG_CODES: () => '一分钟内输错访问码的次数太多。',
  HEADERS_TOO_LARGE: () => '请求头超过 16 KB。',
  PORT_IN_USE: ({ port }) => `端口 ${port} 已占用。停止占用它的程序，或用 --port 换一个端口。`,
  PAGE_MISSING: ({ folder }) => `${folder} 中没有页面文件。重新安装 Huddle；在源码中运行 npm run build`,
  RELOAD: () => '页面落后于该会话太多。刷新页面。',
  TOO_MANY_STREAMS: ({ most }) => `打开的页面过多：最多 ${most} 个。关闭其中一些。`,
  OTHER_FOLDER: ({ id, command }) => `会话 ${id} 属于另一个目录，在这里只能查看。要继续它：${command}`,
  NO_DEMO: () => '这里没有演示。',
};
