import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Catalogue } from '../../catalogue/words.js';
import type { Assets } from './assets.js';
import { checkRequest } from './checkRequest.js';
import { ANSWER_HEADERS, KEPT_FOR_EVER } from './createHttpServer.js';
import type { Browser, Door } from './Door.js';
import { parse, parseCall, readBody, type WebEnvironment } from './parseCall.js';
import {
  catalogueOf,
  createRefusal,
  formatOwnRefusal,
  formatRefusal,
  REFUSALS,
  type RefusalCode,
  type RefusalFacts,
  statusOf,
} from './refusals.js';
import {
  type Call,
  type DoorRoute,
  type Handlers,
  ROUTES,
  type RouteHandler,
  type TextAnswer,
  type WebRoute,
} from './routes.js';
import { type BrowserRole, LOGIN_CODE, type LoggedIn, type WireError } from './wire.js';

/** Opens the stream of a tab and writes it until its end. Rejects with a HuddleError before the first byte. */
export type OpenStream = (
  call: Call<'stream'>,
  outgoing: ServerResponse,
  lastEventId: number | undefined,
) => Promise<void>;

/** Parts that the server is made of. */
export interface AppParts {
  readonly door: Door;
  readonly handlers: Handlers;
  readonly openStream: OpenStream;
  readonly assets: Assets;
  /** The port it listens on, which names its cookie. */
  readonly port: number;
  readonly version: string;
  /** The sentences of the server itself, for requests that name no language of ours. */
  readonly words: Catalogue;
  /** The code of an error and its sentence for people. */
  describe(error: unknown, words: Catalogue): WireError;
  /** Hears of every browser that is let in. */
  onLetIn(role: BrowserRole): void;
  /** Hears of every request that is refused, without anything secret. */
  onRefused(refused: RefusalFacts): void;
}

/**
 * Answers requests: checks where each comes from, sets the headers of every answer, then lets the router have it. Loading it takes
 * half of a start.
 */
export function answerRequests(parts: AppParts): RequestListener {
  const route = getRequestListener(createApp(parts).fetch, {
    overrideGlobalObjects: false,
    // An address that is none, with a host that is ours.
    errorHandler: () => new Response(formatOwnRefusal('INVALID_REQUEST', parts.words), BAD_ADDRESS),
  });
  return (incoming, outgoing) => {
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) outgoing.setHeader(name, value);
    const refusal = checkRequest(incoming);
    if (refusal === null) void route(incoming, outgoing);
    else void refuseAtOnce(refusal, incoming, outgoing, parts);
  };
}

const BAD_ADDRESS = { status: REFUSALS.INVALID_REQUEST, headers: { 'content-type': 'application/json' } };

async function refuseAtOnce(
  code: RefusalCode,
  { method = '', url = '', headers }: IncomingMessage,
  outgoing: ServerResponse,
  { onRefused, words }: Pick<AppParts, 'onRefused' | 'words'>,
): Promise<void> {
  const status = REFUSALS[code];
  const { host, origin } = headers;
  onRefused({ status, code, method, path: url, host, origin });
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(formatOwnRefusal(code, await catalogueOf(headers['accept-language'], words)));
}

type WebContext = Context<WebEnvironment>;

/** The server as its table of routes describes it. Where a request comes from is checked before it gets here. */
function createApp(parts: AppParts): Hono<WebEnvironment> {
  const app = new Hono<WebEnvironment>({ getPath: readPath });
  const routes: readonly (readonly [string, WebRoute])[] = Object.entries(ROUTES);
  const handlers = { ...parts.handlers, ...createDoorHandlers(parts) };
  app.post(ROUTES.login.path, (context) => answerLogin(context, parts));
  for (const [name, route] of routes.filter(([each]) => each !== 'login'))
    app.on(route.method, route.path, async (context) => {
      const call = await parseCall(route, context, requireBrowser(route, context, parts), parts.words);
      if (route.answers === 'stream') return writeStream(call as Call<'stream'>, context, parts);
      // The table and the handlers have the same names, which the compiler has checked.
      const handle = handlers[name as keyof typeof handlers] as (call: Call) => Promise<unknown>;
      return writeAnswer(route, await handle(call), context);
    });
  for (const [, { path }] of routes) app.all(path, (context) => refuseMethod(path, context, parts));
  app.all('/api/*', (context) => {
    requireBrowser({ role: 'watch' }, context, parts);
    throw createRefusal('NOT_FOUND');
  });
  app.get('*', (context) => sendAsset(context, parts));
  app.onError((error, context) => refuse(error, context, parts));
  return app;
}

/** The path as it was checked: the router's own way decodes it, and `/%61pi` would be the API after all. */
function readPath({ url }: Request): string {
  return new URL(url).pathname;
}

/** Routes of the door itself; a login answers with a cookie as well, so it is no handler. */
function createDoorHandlers({ door, version }: AppParts): {
  readonly [Name in Exclude<DoorRoute, 'login'>]: RouteHandler<Name>;
} {
  return {
    invite: async ({ body }) => {
      const { code, role } = door.invite(body.role);
      return { path: `/#code=${code}`, role };
    },
    // What makes schemas of checks is large, and few ask for it.
    describe: async () => (await import('./describeApi.js')).describeApi(version),
  };
}

/** The browser of a request, if it may do what the route does. */
function requireBrowser({ role }: Pick<WebRoute, 'role'>, context: WebContext, parts: AppParts): Browser {
  const browser = findBrowser(context, parts);
  if (browser === undefined) throw createRefusal('NOT_LOGGED_IN');
  if (role === 'full' && browser.role !== 'full') throw createRefusal('READ_ONLY');
  return browser;
}

async function writeStream(
  call: Call<'stream'>,
  context: WebContext,
  { openStream }: AppParts,
): Promise<Response> {
  const last = context.req.header('last-event-id') ?? '';
  await openStream(call, context.env.outgoing, /^\d{1,15}$/u.test(last) ? Number(last) : undefined);
  return RESPONSE_ALREADY_SENT;
}

function sendAsset(context: WebContext, { assets }: AppParts): Response {
  const asset = assets.find(context.req.path);
  // Who mistypes an address reads the page, and no refusal made for programs.
  if (asset === undefined && context.req.header('accept')?.includes('text/html'))
    return context.redirect('/');
  if (asset === undefined) throw createRefusal('NOT_FOUND');
  const accepted = context.req.header('accept-encoding') ?? '';
  const packed = asset.packed.find(({ encoding }) => acceptsEncoding(accepted, encoding));
  context.header('content-type', asset.type);
  context.header('vary', 'accept-encoding');
  if (packed !== undefined) context.header('content-encoding', packed.encoding);
  if (asset.isHashed) context.header('cache-control', KEPT_FOR_EVER);
  return context.body((packed ?? asset).bytes);
}

/** Whether an `Accept-Encoding` names an encoding, and not to refuse it: `gzip, br;q=0`. */
function acceptsEncoding(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((each) => {
    const [name = '', weight = 'q=1'] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && Number(weight.replace('q=', '')) > 0;
  });
}

function refuseMethod(path: string, context: WebContext, parts: AppParts): never {
  if (path !== ROUTES.login.path) requireBrowser({ role: 'watch' }, context, parts);
  const methods = Object.values(ROUTES).flatMap((route) => (route.path === path ? [route.method] : []));
  context.header('allow', methods.join(', '));
  throw createRefusal('METHOD_NOT_ALLOWED');
}

/** Tells of an error by its code; what Huddle did not expect is told to the terminal as well, by `describe`. */
async function refuse(error: unknown, context: WebContext, parts: AppParts): Promise<Response> {
  const words = await catalogueOf(context.req.header('accept-language'), parts.words);
  const told = parts.describe(error, words);
  const status = statusOf(told.code);
  const { method, path } = context.req;
  const { host, origin } = context.env.incoming.headers;
  parts.onRefused({ status, code: told.code, method, path, host, origin });
  if (status === 429) context.header('retry-after', '60');
  context.header('content-type', 'application/json');
  return context.body(formatRefusal(told, words), status as ContentfulStatusCode);
}

/** Anyone may send it, so no more of it is kept than a code needs. */
const MOST_LOGIN_BYTES = 4096;

type LoginParts = Pick<AppParts, 'door' | 'port' | 'onLetIn'>;

/** Lets a browser in for a code: half of what it needs from then on is a cookie, the other half is in the answer. */
async function answerLogin(context: Context<WebEnvironment>, parts: LoginParts): Promise<Response> {
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
function findBrowser(
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

/** Writes what a handler answered, as its route says. */
function writeAnswer(route: WebRoute, answer: unknown, context: Context<WebEnvironment>): Response {
  const { answers = 'json', status = 200 } = route;
  if (status === 204) return context.body(null, status);
  if (answers === 'json') return context.json(answer ?? null, status);
  // The type of the answer follows from the route.
  return writeText(answer as TextAnswer, context);
}

/** Text as it is; a file is only ever saved, so that nothing in it is run with our rights. */
function writeText({ type, text, fileName }: TextAnswer, context: Context<WebEnvironment>): Response {
  context.header('content-type', type);
  if (fileName !== undefined) context.header('content-disposition', describeFile(fileName));
  return context.body(text);
}

/** The name for every browser, and a plain one for those that know no other. */
function describeFile(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]+/gu, '-');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/gu,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
