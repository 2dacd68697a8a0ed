import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Catalogue } from '../../catalogue/words.js';
import type { HuddleError } from '../../models/errors.js';
import { MOST_BODY_BYTES } from './checkRequest.js';
import type { Browser } from './Door.js';
import { catalogueOf, createRefusal } from './refusals.js';
import type { Call, WebRoute } from './routes.js';

/** Types of the server for its router: the request and the answer of Node. */
export interface WebEnvironment {
  readonly Bindings: HttpBindings;
}

const NO_QUERY = z.strictObject({});
const ONCE_KEY = /^[\x21-\x7e]{1,200}$/u;

/** Reads the parts of a request that a route takes, and refuses it with the paths of what is wrong. */
export async function parseCall(
  route: WebRoute,
  context: Context<WebEnvironment>,
  browser: Browser,
  own: Catalogue,
): Promise<Call> {
  const { query = NO_QUERY, body, isOnce } = route;
  const onceKey = isOnce && readOnceKey(context);
  return {
    params: context.req.param(),
    query: parse(query, readQuery(context), 'query'),
    body: body && parse(body, await readBody(context.env), 'body'),
    browserId: browser.id,
    role: browser.role,
    words: await catalogueOf(context.req.header('accept-language'), own),
    onceKey,
    // The types of a call follow from its route, which is only known by name.
  } as Call;
}

/** A body as a schema has it; refused by the paths of what is wrong. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: string,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw refuseInvalid(part, error);
  return data;
}

/** Never the values: they may be secret, and the sender knows them. */
function refuseInvalid(part: string, { issues }: z.ZodError): HuddleError {
  const paths = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  );
  const named = paths.map((path) => [part, ...path.map(String)].join('.').slice(0, 100));
  return createRefusal('INVALID_REQUEST', [...new Set(named)].slice(0, 20).join(', '));
}

/** The query by name. A name that comes twice has a list, which no schema takes. */
function readQuery({ req }: Context<WebEnvironment>): object {
  const entries = Object.entries(req.queries());
  return Object.fromEntries(
    entries.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function readOnceKey({ req }: Context<WebEnvironment>): string {
  const key = req.header('idempotency-key') ?? '';
  if (!ONCE_KEY.test(key)) throw createRefusal('INVALID_REQUEST', 'idempotency-key');
  return key;
}

/** Reads the JSON of a request, and of a body that is larger than it may be no more than that. */
export async function readBody(
  { incoming, outgoing }: HttpBindings,
  mostBytes = MOST_BODY_BYTES,
): Promise<unknown> {
  if (incoming.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue();
  const bytes = await readBytes(incoming, mostBytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Neither text nor JSON: the checks of the route could say no more about it.
    throw createRefusal('INVALID_REQUEST', 'body');
  }
}

/** By events, since leaving a loop over it would close the connection before the refusal is sent. */
function readBytes(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
      else {
        incoming.removeAllListeners('data');
        reject(createRefusal('BODY_TOO_LARGE'));
      }
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks, size)));
    // The sender is gone; what came of the body is worth nothing.
    for (const event of ['error', 'close'])
      incoming.once(event, () => reject(createRefusal('INVALID_REQUEST', 'body')));
  });
}
