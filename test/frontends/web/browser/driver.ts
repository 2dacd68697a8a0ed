/** The part of playwright-core that these tests use. The package is installed by the tests themselves, so its own types are not there when this is checked. */
export interface Browser {
  newContext(options?: ContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface ContextOptions {
  readonly viewport?: Size;
  readonly locale?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
  readonly permissions?: readonly string[];
  readonly timezoneId?: string;
  readonly hasTouch?: boolean;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface BrowserContext {
  readonly clock: Clock;
  newPage(): Promise<Page>;
  newCDPSession(page: Page): Promise<CdpSession>;
  cookies(): Promise<readonly { readonly name: string; readonly value: string }[]>;
  on(event: 'request', listener: (request: DriverRequest) => void): void;
  addInitScript(script: (() => void) | string): Promise<unknown>;
  close(): Promise<void>;
}

/** The time of the pages of a context: once it is installed, it can be stopped and moved on. */
export interface Clock {
  install(): Promise<void>;
  pauseAt(time: number): Promise<void>;
  runFor(milliseconds: number): Promise<void>;
  resume(): Promise<void>;
}

export interface DriverRequest {
  url(): string;
  method(): string;
  postData(): string | null;
}

/** A request that waits until it is told to go on. */
export interface HeldRequest {
  continue(): Promise<void>;
}

export interface CdpSession {
  send(method: string, params?: object): Promise<unknown>;
}

interface Patience {
  readonly timeout?: number;
}

export interface Page {
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    insertText(text: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
  readonly mouse: {
    wheel(x: number, y: number): Promise<void>;
    move(x: number, y: number): Promise<void>;
    click(x: number, y: number, options?: { readonly clickCount?: number }): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
  };
  readonly touchscreen: { tap(x: number, y: number): Promise<void> };
  goto(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  bringToFront(): Promise<void>;
  setViewportSize(size: Size): Promise<void>;
  emulateMedia(options: { readonly colorScheme?: 'light' | 'dark' }): Promise<void>;
  screenshot(options?: { readonly path?: string }): Promise<Buffer>;
  locator(selector: string, options?: { readonly hasText?: string | RegExp }): Locator;
  getByRole(role: string, options?: { readonly name?: string | RegExp; readonly exact?: boolean }): Locator;
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): Locator;
  /** Runs in the page; the argument is copied into it. */
  evaluate<Result, Argument = undefined>(
    work: ((argument: Argument) => Result | Promise<Result>) | string,
    argument?: Argument,
  ): Promise<Result>;
  waitForFunction<Argument>(
    work: (argument: Argument) => unknown,
    argument?: Argument,
    options?: Patience,
  ): Promise<unknown>;
  waitForResponse(address: RegExp): Promise<{ status(): number }>;
  route(address: RegExp, hold: (request: HeldRequest) => void): Promise<unknown>;
  waitForURL(address: RegExp | ((url: URL) => boolean), options?: Patience): Promise<void>;
  on(event: 'console', listener: (message: { text(): string; type(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  close(): Promise<void>;
}

export interface Locator {
  locator(selector: string, options?: { readonly hasText?: string | RegExp }): Locator;
  getByRole(role: string, options?: { readonly name?: string | RegExp; readonly exact?: boolean }): Locator;
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): Locator;
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
  count(): Promise<number>;
  click(options?: Patience): Promise<void>;
  fill(text: string): Promise<void>;
  press(key: string): Promise<void>;
  focus(): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  waitFor(
    options?: Patience & { readonly state?: 'visible' | 'hidden' | 'attached' | 'detached' },
  ): Promise<void>;
  isVisible(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  innerText(): Promise<string>;
  textContent(): Promise<string | null>;
  allInnerTexts(): Promise<readonly string[]>;
  inputValue(): Promise<string>;
  hover(): Promise<void>;
  getAttribute(name: string): Promise<string | null>;
  boundingBox(): Promise<(Size & { readonly x: number; readonly y: number }) | null>;
  evaluate<Result>(work: (element: Element) => Result): Promise<Result>;
}
