import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { speaking } from '../../catalogue/words.js';
import type { AppParts } from './AppParts.js';
import { KEPT_FOR_EVER } from './answerHeaders.js';
import { answerLogin, findBrowser } from './answerLogin.js';
import type { Browser } from './Door.js';
import { catalogueOf } from './languageOf.js';
import { parseCall } from './parseCall.js';
import { createRefusal, formatRefusal, statusOf } from './refusals.js';
import { type Call, type DoorRoute, ROUTES, type RouteHandler, type WebRoute } from './routes.js';
import type { WebEnvironment } from './WebEnvironment.js';
import type { WireError } from './wire.js';
import { writeAnswer } from './writeAnswer.js';

type WebContext = Context<WebEnvironment>;

/** The server as its table of routes describes it. Where a request comes from is checked before it gets here. */
export function createApp(parts: AppParts): Hono<WebEnvironment> {
  const app = new Hono<WebEnvironment>({ getPath: readPath });
  const routes: readonly (readonly [string, WebRoute])[] = Object.entries(ROUTES);
  const handlers = { ...parts.handlers, ...createDoorHandlers(parts) };
  app.post(ROUTES.login.path, (context) => answerLogin(context, parts));
  for (const [name, route] of routes.filter(([each]) => each !== 'login'))
    app.on(route.method, route.path, async (context) => {
      const call = await parseCall(route, context, requireBrowser(route, context, parts));
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
  context.header('content-type', asset.type);
  if (asset.isHashed) context.header('cache-control', KEPT_FOR_EVER);
  return context.body(asset.bytes);
}

function refuseMethod(path: string, context: WebContext, parts: AppParts): never {
  if (path !== ROUTES.login.path) requireBrowser({ role: 'watch' }, context, parts);
  const methods = Object.values(ROUTES).flatMap((route) => (route.path === path ? [route.method] : []));
  context.header('allow', methods.join(', '));
  throw createRefusal('METHOD_NOT_ALLOWED');
}

/** Tells of an error by its code; what Huddle did not expect is told to the terminal as well, by `describe`. */
async function refuse(error: unknown, context: WebContext, parts: AppParts): Promise<Response> {
  const catalogue = await catalogueOf(context.req.header('accept-language'));
  return speaking(catalogue, () => writeRefusal(parts.describe(error), context, parts));
}

function writeRefusal(told: WireError, context: WebContext, parts: AppParts): Response {
  const status = statusOf(told.code);
  const { method, path } = context.req;
  const { host, origin } = context.env.incoming.headers;
  parts.onRefused({ status, code: told.code, method, path, host, origin });
  if (status === 429) context.header('retry-after', '60');
  context.header('content-type', 'application/json');
  return context.body(formatRefusal(told), status as ContentfulStatusCode);
}
