import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { BrowserRole } from './wire.js';

/** Digits and letters that are not mistaken for each other: a code may be typed. */
const CODE_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Letters of 5 bits each: 130 bits. */
const CODE_LENGTH = 26;
const CODE_MILLISECONDS = 10 * 60_000;
const MOST_CODES = 100;
const SECRET_BYTES = 16;
const MOST_WRONG = 10;
const WRONG_MILLISECONDS = 60_000;

/** A browser that was let in. */
export interface Browser {
  readonly id: string;
  readonly role: BrowserRole;
}

/** Both halves of what a browser proves itself with: other servers of this machine get the cookie, other scripts the key. */
export interface Credentials {
  readonly cookie: string;
  readonly key: string;
}

/** The outcome of a code: a browser with its new credentials, or why not. */
export type Knock =
  | { readonly kind: 'let-in'; readonly browser: Browser; readonly credentials: Credentials }
  | { readonly kind: 'wrong' | 'too-many' };

interface Code {
  readonly digest: Buffer;
  readonly role: BrowserRole;
  readonly until: number;
}

interface KnownBrowser extends Browser {
  readonly cookie: Buffer;
  readonly key: Buffer;
}

export interface DoorOptions {
  /** No one gets in who may do more than look. */
  readonly isWatchOnly?: boolean;
  /** Milliseconds since some moment. */
  readonly now?: () => number;
}

/** Lets browsers in for codes and knows them again. It keeps digests only: no secret can be read out of it. */
export class Door {
  readonly #isWatchOnly: boolean;
  readonly #now: () => number;
  #codes: readonly Code[] = [];
  #browsers: readonly KnownBrowser[] = [];
  #wrongAt: readonly number[] = [];
  #letIn = 0;

  constructor({ isWatchOnly = false, now = () => performance.now() }: DoorOptions = {}) {
    this.#isWatchOnly = isWatchOnly;
    this.#now = now;
  }

  /** The number of browsers that are known. */
  get browsers(): number {
    return this.#browsers.length;
  }

  /** Makes a code that lets one browser in, once, within 10 minutes. */
  invite(wanted: BrowserRole = 'full'): { readonly code: string; readonly role: BrowserRole } {
    const role = this.#isWatchOnly ? 'watch' : wanted;
    const code = Array.from(
      randomBytes(CODE_LENGTH),
      (byte) => CODE_LETTERS[byte % CODE_LETTERS.length],
    ).join('');
    const until = this.#now() + CODE_MILLISECONDS;
    this.#codes = [...this.#liveCodes(), { digest: digestOf(code), role, until }].slice(-MOST_CODES);
    return { code, role };
  }

  /** Takes a code. The right one passes however many wrong ones came before it: others must not lock the owner out. */
  letIn(typed: string, before?: Browser): Knock {
    const digest = digestOf(typed.trim().toLowerCase());
    const live = this.#liveCodes();
    const [code] = live.filter((each) => timingSafeEqual(each.digest, digest));
    if (code === undefined) return { kind: this.#countWrong() };
    this.#codes = live.filter((each) => each !== code);
    this.#letIn += 1;
    const browser = { id: `browser-${this.#letIn}`, role: code.role };
    const credentials = { cookie: createSecret(), key: createSecret() };
    const known = { ...browser, cookie: digestOf(credentials.cookie), key: digestOf(credentials.key) };
    this.#browsers = [...this.#browsers.filter(({ id }) => id !== before?.id), known];
    return { kind: 'let-in', browser, credentials };
  }

  /** The browser with these credentials; undefined unless both halves are of the same one. */
  identify({ cookie, key }: Partial<Credentials>): Browser | undefined {
    if (cookie === undefined || key === undefined) return undefined;
    const [cookieDigest, keyDigest] = [digestOf(cookie), digestOf(key)];
    const [browser] = this.#browsers.filter((known) => {
      const hasCookie = timingSafeEqual(known.cookie, cookieDigest);
      const hasKey = timingSafeEqual(known.key, keyDigest);
      return hasCookie && hasKey;
    });
    return browser && { id: browser.id, role: browser.role };
  }

  #liveCodes(): readonly Code[] {
    return this.#codes.filter(({ until }) => until > this.#now());
  }

  #countWrong(): 'wrong' | 'too-many' {
    const since = this.#now() - WRONG_MILLISECONDS;
    const recent = this.#wrongAt.filter((at) => at > since);
    if (recent.length >= MOST_WRONG) return 'too-many';
    this.#wrongAt = [...recent, this.#now()];
    return 'wrong';
  }
}

/** Values of different lengths have digests of one length, which are compared in constant time. */
function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
