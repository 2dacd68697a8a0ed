import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { AppParts } from './AppParts.js';
import { ANSWER_HEADERS } from './answerHeaders.js';
import { checkRequest } from './checkRequest.js';
import { createRefusal, formatRefusal, REFUSALS, type RefusalCode } from './refusals.js';
import type { WebEnvironment } from './WebEnvironment.js';

/** Answers requests: checks where each comes from, sets the headers of every answer, then lets the router have it. */
export function createListener(
  app: Hono<WebEnvironment>,
  parts: Pick<AppParts, 'onRefused'>,
): RequestListener {
  const route = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    // An address that is none, with a host that is ours.
    errorHandler: () => new Response(formatRefusal(createRefusal('INVALID_REQUEST')), BAD_ADDRESS),
  });
  return (incoming, outgoing) => {
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) outgoing.setHeader(name, value);
    const refusal = checkRequest(incoming);
    if (refusal === null) void route(incoming, outgoing);
    else refuse(refusal, incoming, outgoing, parts);
  };
}

const BAD_ADDRESS = { status: REFUSALS.INVALID_REQUEST, headers: { 'content-type': 'application/json' } };

function refuse(
  code: RefusalCode,
  { method = '', url = '', headers: { host, origin } }: IncomingMessage,
  outgoing: ServerResponse,
  { onRefused }: Pick<AppParts, 'onRefused'>,
): void {
  const status = REFUSALS[code];
  onRefused({ status, code, method, path: url, host, origin });
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(formatRefusal(createRefusal(code)));
}
