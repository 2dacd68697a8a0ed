import type { BrowserContext, ContextOptions, Locator, Page } from './driver.js';
import type { InBrowser } from './inBrowser.js';
import type { WebServer } from './WebServer.js';

/** The words of the page by which a test finds its way, in the languages it speaks. */
const WORDS = {
  'en-US': {
    newConversation: 'New conversation',
    invite: 'Invite a browser',
    demo: 'Start the demo',
    allow: 'Allow once',
    deny: 'Deny',
    stop: 'Stop',
    retry: 'Retry',
    continue: 'Continue',
    message: 'Message',
    live: 'live',
  },
  'zh-CN': {
    newConversation: '新对话',
    invite: '添加浏览器',
    demo: '开始演示',
    allow: '允许一次',
    deny: '拒绝',
    stop: '停止',
    retry: '重试',
    continue: '继续',
    message: '消息',
    live: '实时',
  },
} as const;

export type Language = keyof typeof WORDS;
type Word = keyof (typeof WORDS)['en-US'];

/** Somebody at a browser: clicks and types as people do, and reads what is on the screen. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly words: Readonly<Record<Word, string>>;
  /** Errors of the page, and what its policy forbade. */
  readonly faults: string[] = [];
  /** Addresses that the page asked for. */
  readonly requests: string[] = [];

  private constructor(context: BrowserContext, page: Page, language: Language) {
    this.context = context;
    this.page = page;
    this.words = WORDS[language];
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/u.test(message.text())) this.faults.push(message.text());
    });
    context.on('request', (request) => this.requests.push(request.url()));
  }

  /** Lets a browser in with the newest code of the server, and waits until it is live. */
  static async enter(
    browser: InBrowser,
    server: Pick<WebServer, 'address'>,
    options: ContextOptions & { readonly locale?: Language } = {},
  ): Promise<Visitor> {
    const context = await browser.open(options);
    return Visitor.openIn(context, server.address, options.locale);
  }

  /** The same in one more tab of a browser that is let in. */
  static async openIn(
    context: BrowserContext,
    address: string,
    language: Language = 'en-US',
  ): Promise<Visitor> {
    const visitor = new Visitor(context, await context.newPage(), language);
    await visitor.page.goto(address);
    await visitor.page.locator('.connection.on').first().waitFor();
    return visitor;
  }

  button(word: Word): Locator {
    return this.page.getByRole('button', { name: this.words[word], exact: true }).first();
  }

  get field(): Locator {
    return this.page.getByRole('textbox', { name: this.words.message, exact: true });
  }

  get log(): Locator {
    return this.page.getByRole('log');
  }

  /** Begins a conversation; its id. */
  async begin(): Promise<string> {
    await this.button('newConversation').click();
    await this.page.waitForURL(/\/c\//u);
    await this.field.waitFor();
    return new URL(this.page.url()).pathname.split('/')[2] ?? '';
  }

  /** Sends a message, and waits until it was said. */
  async say(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press('Enter');
    await this.hasTyped('');
  }

  /** Waits until the field has this text and no other. */
  async hasTyped(text: string): Promise<void> {
    await this.page.waitForFunction((wanted) => document.querySelector('textarea')?.value === wanted, text);
  }

  /** Goes to the request that waits: one that comes right after another is not shown by itself. */
  async goToRequest(): Promise<void> {
    await this.page.locator('.approval').waitFor();
    const view = this.page.locator('.approval.more .button');
    if (await view.isVisible()) await view.click();
  }

  /** Types into what Ctrl-F opens. */
  async find(text: string): Promise<void> {
    await this.page.keyboard.press('Control+f');
    await this.page.waitForFunction(() => document.activeElement?.matches('input[type="search"]'));
    await this.page.keyboard.type(text);
  }

  /** Waits until a row of the log has this text. */
  async reads(text: string | RegExp, timeout?: number): Promise<void> {
    await this.log
      .getByText(text)
      .first()
      .waitFor({ ...(timeout !== undefined && { timeout }) });
  }

  /** Waits for a text anywhere on the page. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }
}
