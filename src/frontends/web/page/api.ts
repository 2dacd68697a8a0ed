import { signal } from '@preact/signals';
import type { z } from 'zod';
import type { ROUTES, RouteName } from '../routes.js';
import type { WireError } from '../wire.js';
import { pageWords as words } from './state/language.js';

type RouteOf<Name extends RouteName> = (typeof ROUTES)[Name];

/** Method and path of every route. The compiler holds it to the table of the server, which would bring its schemas along. */
const ADDRESSES: { readonly [Name in RouteName]: `${RouteOf<Name>['method']} ${RouteOf<Name>['path']}` } = {
  login: 'POST /api/login',
  whoAmI: 'GET /api/session',
  invite: 'POST /api/invitations',
  describe: 'GET /api/openapi.json',
  list: 'GET /api/conversations',
  create: 'POST /api/conversations',
  remove: 'DELETE /api/conversations/:id',
  show: 'GET /api/conversations/:id',
  older: 'GET /api/conversations/:id/blocks',
  stream: 'GET /api/stream',
  send: 'POST /api/conversations/:id/messages',
  decide: 'POST /api/conversations/:id/decisions',
  act: 'POST /api/conversations/:id/actions',
  members: 'GET /api/conversations/:id/members',
  why: 'GET /api/conversations/:id/turns/:turn',
  prompt: 'GET /api/conversations/:id/turns/:turn/prompt',
  changes: 'GET /api/conversations/:id/changes',
  cost: 'GET /api/conversations/:id/cost',
  search: 'GET /api/conversations/:id/search',
  export: 'GET /api/conversations/:id/export',
};

type ParamsOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

type Given<Key extends string, Value> = [Value] extends [never]
  ? unknown
  : Partial<Value> extends Value
    ? { readonly [key in Key]?: Value }
    : { readonly [key in Key]: Value };

type InputOf<Name extends RouteName, Key extends 'query' | 'body'> =
  RouteOf<Name> extends {
    readonly [key in Key]: infer Schema extends z.ZodType;
  }
    ? z.input<Schema>
    : never;

/** The variable parts of a request: what stands for `:name`, query and body. */
type RequestTo<Name extends RouteName> = ([ParamsOf<RouteOf<Name>['path']>] extends [never]
  ? unknown
  : { readonly params: Readonly<Record<ParamsOf<RouteOf<Name>['path']>, string>> }) &
  Given<'query', InputOf<Name, 'query'>> &
  Given<'body', InputOf<Name, 'body'>> & {
    /** The same key again is the same request again, and does nothing twice. */
    readonly onceKey?: string;
    readonly signal?: AbortSignal;
  };

/** The answer of a route; `text` and `attachment` routes answer a text. */
type AnswerTo<Name extends RouteName> =
  RouteOf<Name> extends {
    readonly answers: 'text' | 'attachment';
  }
    ? string
    : RouteOf<Name> extends { readonly answer?: infer Answer }
      ? Answer
      : never;

/** A request that the server refused, or that did not reach it: then its code is `NOT_REACHED`. */
export class RefusedRequest extends Error implements WireError {
  readonly code: string;
  readonly hint?: string;

  constructor({ code, message, hint }: WireError, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    if (hint !== undefined) this.hint = hint;
  }
}

/** The address of a route, for a link or a stream. */
export function addressOf<Name extends RouteName>(
  name: Name,
  { params, query }: { params?: Readonly<Record<string, string>>; query?: object } = {},
): string {
  const path = pathOf(name).replace(/:(\w+)/g, (_, each: string) => encodeURIComponent(params?.[each] ?? ''));
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Asks the server. Rejects with a `RefusedRequest`. */
export async function call<Name extends RouteName>(
  name: Name,
  request: RequestTo<Name>,
): Promise<AnswerTo<Name>> {
  const response = await reach(name, request);
  if (!response.ok) {
    const refusal = await readRefusal(response);
    if (refusal.code === 'NOT_LOGGED_IN') isLockedOut.value = true;
    throw refusal;
  }
  if (response.status === 204) return undefined as AnswerTo<Name>;
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return (isJson ? await response.json() : await response.text()) as AnswerTo<Name>;
}

/** The headers by which the server knows this browser, and its language: an error is told in it. */
export function ownHeaders(): Record<string, string> {
  const key = readKey();
  return { 'accept-language': words.language, ...(key !== undefined && { 'x-huddle-key': key }) };
}

/** The refusal in an answer that is not what was asked for. */
export async function readRefusal(response: Response): Promise<RefusedRequest> {
  const said = await response.json().then(
    (answer: { readonly error?: WireError }) => answer.error,
    // Something between us and the server answered in its own words.
    () => undefined,
  );
  return new RefusedRequest(
    said ?? { code: `HTTP_${response.status}`, message: `${response.status} ${response.statusText}` },
  );
}

async function reach<Name extends RouteName>(name: Name, request: RequestTo<Name>): Promise<Response> {
  const { params, query, body, onceKey, signal } = request as AnyRequest;
  const address = addressOf(name, { params, query });
  try {
    return await fetch(address, {
      method: ADDRESSES[name].split(' ')[0] ?? '',
      headers: {
        ...ownHeaders(),
        ...(isChange(name) && { 'content-type': 'application/json' }),
        ...(onceKey !== undefined && { 'idempotency-key': onceKey }),
      },
      body: isChange(name) ? JSON.stringify(body ?? {}) : undefined,
      signal,
    });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new RefusedRequest({ code: 'NOT_REACHED', message: String(cause) }, { cause });
  }
}

interface AnyRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
  readonly onceKey?: string;
  readonly signal?: AbortSignal;
}

function isChange(name: RouteName): boolean {
  return !ADDRESSES[name].startsWith('GET');
}

function pathOf(name: RouteName): string {
  return ADDRESSES[name].split(' ')[1] ?? '';
}

const STORED_KEY = 'huddle-key';

/** The key of this browser: half of what lets it in; the other half is a cookie. */
export function readKey(): string | undefined {
  return localStorage.getItem(STORED_KEY) ?? undefined;
}

export function keepKey(key: string | undefined): void {
  if (key === undefined) localStorage.removeItem(STORED_KEY);
  else localStorage.setItem(STORED_KEY, key);
}

/** Whether the server knows this browser no longer: cookie and key die with its process. */
export const isLockedOut = signal(false);
