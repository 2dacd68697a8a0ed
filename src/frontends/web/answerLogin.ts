import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AppParts } from './AppParts.js';
import type { Browser } from './Door.js';
import { parse } from './parseCall.js';
import { readBody } from './readBody.js';
import { createRefusal } from './refusals.js';
import type { WebEnvironment } from './WebEnvironment.js';
import { LOGIN_CODE, type LoggedIn } from './wire.js';

/** Anyone may send it, so no more of it is kept than a code needs. */
const MOST_LOGIN_BYTES = 4096;

type LoginParts = Pick<AppParts, 'door' | 'port' | 'onLetIn'>;

/** Lets a browser in for a code: half of what it needs from then on is a cookie, the other half is in the answer. */
export async function answerLogin(context: Context<WebEnvironment>, parts: LoginParts): Promise<Response> {
  const { door, port, onLetIn } = parts;
  const { code } = parse(LOGIN_CODE, await readBody(context.env, MOST_LOGIN_BYTES), 'body');
  const knock = door.letIn(code, findBrowser(context, parts));
  if (knock.kind !== 'let-in')
    throw createRefusal(knock.kind === 'wrong' ? 'WRONG_CODE' : 'TOO_MANY_WRONG_CODES');
  const { browser, credentials } = knock;
  setCookie(context, cookieName(port), credentials.cookie, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
  });
  onLetIn(browser.role);
  const answer: LoggedIn = { key: credentials.key, role: browser.role };
  return context.json(answer);
}

/** The browser that a request comes from, if it was let in. */
export function findBrowser(
  context: Context<WebEnvironment>,
  { door, port }: Pick<AppParts, 'door' | 'port'>,
): Browser | undefined {
  return door.identify({
    cookie: getCookie(context, cookieName(port)),
    key: context.req.header('x-huddle-key'),
  });
}

/** Cookies ignore ports, so that each server of this machine needs one of another name. */
function cookieName(port: number): string {
  return `huddle-${port}`;
}
