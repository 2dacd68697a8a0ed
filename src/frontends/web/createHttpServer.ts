import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Catalogue } from '../../catalogue/words.js';
import { formatOwnRefusal, REFUSALS, type RefusalCode, type RefusalFacts } from './refusals.js';

/** Everything that the page may load and do. Trusted types: no text of a member can become a script. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types huddle',
].join('; ');

/** Headers of every answer, whatever it is. None of them lets another origin in. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** For files whose names change with their content. */
export const KEPT_FOR_EVER = 'public, max-age=31536000, immutable';

/** Limits of every connection, in bytes and milliseconds. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1000,
};
const MOST_CONNECTIONS = 128;

/** Refusals of requests that Node could not read, by its codes; all others are no HTTP. */
const UNREADABLE: Readonly<Record<string, RefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** A server with limits that answers nothing yet. It tells of requests that it could not even read. */
export function createHttpServer(onRefused: (refused: RefusalFacts) => void, words: Catalogue): Server {
  const server = createServer(LIMITS);
  server.maxConnections = MOST_CONNECTIONS;
  const tell = (status: number, code: string) => onRefused({ status, code, method: '', path: '' });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const code = UNREADABLE[error.code ?? ''] ?? 'INVALID_REQUEST';
    tell(REFUSALS[code], code);
    // Not half of an answer that was begun before.
    if (socket.bytesWritten > 0) socket.destroy();
    else socket.end(formatAnswer(code, words));
  });
  server.on('drop', () => tell(0, 'TOO_MANY_CONNECTIONS'));
  return server;
}

/** By hand: there is no request that could be answered. */
function formatAnswer(code: RefusalCode, words: Catalogue): string {
  const body = formatOwnRefusal(code, words);
  const status = REFUSALS[code];
  const headers = {
    ...ANSWER_HEADERS,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
