import { expect, it } from 'vitest';
import { chinese } from '../../../src/catalogue/chinese.js';
import { english } from '../../../src/catalogue/english.js';
import { formatRefusal, REFUSALS, statusOf } from '../../../src/frontends/web/refusals.js';
import { HuddleError } from '../../../src/models/errors.js';
import { requestTo } from './routeRequests.js';
import { startServer } from './server.js';

it.each([
  ['INVALID_REQUEST', 400],
  ['EMPTY_MESSAGE', 400],
  ['WRONG_CODE', 401],
  ['READ_ONLY', 403],
  ['UNKNOWN_CONVERSATION', 404],
  ['UNKNOWN_TURN', 404],
  ['UNKNOWN_PERMISSION_REQUEST', 409],
  ['CONVERSATION_LOCKED', 409],
  ['FOLDER_NOT_TRUSTED', 409],
  ['RELOAD', 409],
  ['STORE_WRITE', 503],
  ['STORE_DAMAGED', 503],
  ['ENOSPC', 503],
  ['READING_STOPPED', 503],
  ['TOO_MANY_STREAMS', 429],
  ['UNEXPECTED', 500],
  ['constructor', 409],
])('%s is the status %i', (code, status) => {
  expect(statusOf(code)).toBe(status);
});

it.each([english, chinese])('every refusal has its sentence ($language)', ({ errors }) => {
  expect(Object.keys(REFUSALS).filter((code) => !Object.hasOwn(errors, code))).toEqual([]);
});

it('an error has its code, its sentence and what to do, and nothing else', () => {
  expect(JSON.parse(formatRefusal({ code: 'READ_ONLY', message: 'No.' }, english))).toEqual({
    error: { code: 'READ_ONLY', message: 'No.', hint: english.webDoor.hints.READ_ONLY },
  });
  expect(JSON.parse(formatRefusal({ code: 'toString', message: 'No.' }, english))).toEqual({
    error: { code: 'toString', message: 'No.' },
  });
});

it.each([
  [new HuddleError('CONVERSATION_LOCKED', 'Open elsewhere.'), 409, 'CONVERSATION_LOCKED'],
  [new HuddleError('STORE_WRITE', 'The disk is full.'), 503, 'STORE_WRITE'],
  [new TypeError('x is not a function'), 500, 'UNEXPECTED'],
])('a handler that rejects with %s is answered with %i', async (error, status, code) => {
  const server = await startServer({ handlers: { send: () => Promise.reject(error) } });
  const answer = await server.ask({ ...requestTo('send'), as: server.letIn() });
  expect(answer).toMatchObject({ status, code });
  expect(answer.text).not.toContain('.ts:');
  expect(server.refused).toMatchObject([{ status, code, method: 'POST' }]);
});

it('a stream that cannot be opened is refused like everything else', async () => {
  const server = await startServer({
    openStream: () => Promise.reject(new HuddleError('RELOAD', 'Load anew.')),
  });
  const answer = await server.ask({ ...requestTo('stream'), as: server.letIn() });
  expect(answer).toMatchObject({ status: 409, code: 'RELOAD' });
});

it.each([
  ['41', 41],
  ['-1', undefined],
  ['x', undefined],
  [undefined, undefined],
])('a stream continues after the event %s', async (sent, expected) => {
  const asked: (number | undefined)[] = [];
  const server = await startServer({
    openStream: async (_call, outgoing, last) => {
      asked.push(last);
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).end();
    },
  });
  const headers = { 'last-event-id': sent };
  const answer = await server.ask({ ...requestTo('stream'), as: server.letIn(), headers });
  expect(answer.status).toBe(200);
  expect(asked).toEqual([expected]);
});

it('a call has what the request said, and who it comes from', async () => {
  const server = await startServer();
  const headers = { 'idempotency-key': 'key-1' };
  await server.ask({
    ...requestTo('send'),
    as: server.letIn(),
    headers,
    path: '/api/conversations/a%2Fb/messages',
  });
  await server.ask({ path: '/api/conversations?text=x', as: server.letIn('watch') });
  expect(server.calls.map(([, call]) => call)).toEqual([
    {
      params: { id: 'a/b' },
      query: {},
      body: { content: 'Hello' },
      browserId: 'browser-1',
      role: 'full',
      words: english,
      onceKey: 'key-1',
    },
    {
      params: {},
      query: { scope: 'here', text: 'x' },
      body: undefined,
      browserId: 'browser-2',
      role: 'watch',
      words: english,
    },
  ]);
});
