import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { chinese } from '../../../src/catalogue/chinese.js';
import { english } from '../../../src/catalogue/english.js';
import { describeError } from '../../../src/catalogue/errors.js';
import { type Catalogue, speak, speaking } from '../../../src/catalogue/words.js';
import { describeForPeople } from '../../../src/cli/start/reportError.js';
import type { Handlers } from '../../../src/frontends/web/routes.js';
import type { WireError } from '../../../src/frontends/web/wire.js';
import type { HuddleError } from '../../../src/models/errors.js';
import { contextOf } from '../../cli/contextOf.js';
import { teamFile } from '../../cli/runHuddle.js';
import { deskWith, ECHO, type OpenedDesk, openDesk, recorded } from './live/desk.js';
import { startServer, type TestRequest } from './server.js';

afterEach(() => speak(english));

const CHINESE = /\p{Script=Han}/u;
/** Words in a row, as only a sentence has them; names of files and commands are none. */
const ENGLISH =
  /[a-z]{2,} (?:is|was|were|are|has|have|to|the|no|not|may|of|can|in) |(?:No|Nothing|Close|Wrong) [a-z]+/u;

/** A server over real conversations; what it answers to a request in a language, with what every browser sends. */
async function serve({ desk, machine }: OpenedDesk, words: Catalogue = english) {
  const server = await startServer({
    // The routes of the desk are all that is asked here.
    handlers: desk.handlers() as Handlers,
    words,
    describe: (error, asked) => speaking(asked, () => describeForPeople(error, contextOf(machine))),
  });
  const as = server.letIn();
  return async (request: TestRequest, language: string): Promise<{ status: number; text: string }> => {
    const headers = { ...request.headers, 'accept-language': language };
    const { status, text } = await server.ask({ ...request, headers, as });
    return { status, text: Buffer.from(text, 'latin1').toString('utf8') };
  };
}

/** A session in which max changed a file in the folder itself, and requests that are refused there. */
async function refusedRequests() {
  const max = { agentType: 'command', command: ['/bin/sh', '-c', 'echo new > made.txt; echo Done.'] };
  const desk = await deskWith(() => ({ max }), { team: { files: {} } });
  const id = await desk.create();
  const stream = await desk.stream({ conversation: id });
  await desk.send(id, 'Make it.');
  await stream.until(recorded('files-recorded'));
  const path = `/api/conversations/${id}`;
  const act = (body: object): TestRequest => ({ method: 'POST', path: `${path}/actions`, body });
  const send = (body: object): TestRequest => ({
    method: 'POST',
    path: `${path}/messages`,
    body,
    headers: { 'idempotency-key': 'k' },
  });
  const requests: Readonly<Record<string, TestRequest>> = {
    UNKNOWN_CHANGE: act({ do: 'undo', what: 'turn-9', isDryRun: true }),
    'UNKNOWN_CHANGE of nothing': act({ do: 'apply', isDryRun: true }),
    NOT_A_COPY: act({ do: 'apply', what: 'turn-1', isDryRun: true }),
    FILES_CHANGED_SINCE: act({ do: 'undo', what: 'turn-1', isDryRun: true }),
    UNKNOWN_SPEAKER: send({ content: 'Go.', as: 'nobody' }),
    EMPTY_MESSAGE: send({ content: ' ' }),
    INVALID_REQUEST: act({ do: 'fly' }),
    UNKNOWN_PERMISSION_REQUEST: {
      method: 'POST',
      path: `${path}/decisions`,
      body: { requestId: 'r1', verdict: 'allow' },
    },
    UNKNOWN_CONVERSATION: { path: '/api/conversations/20261115-0212-9f3c' },
    METHOD_NOT_ALLOWED: { method: 'POST', path },
  };
  writeFileSync(join(desk.machine.project, 'made.txt'), 'mine\n');
  return { desk, id, requests };
}

test.each([
  ['English', english, 'zh-CN', CHINESE, ENGLISH],
  ['Chinese', chinese, 'en', ENGLISH, CHINESE],
] as const)(
  'a server in %s tells every error in the language that was asked for',
  async (_, catalogue, language, wanted, unwanted) => {
    const { desk, requests } = await refusedRequests();
    speak(catalogue);
    const ask = await serve(desk, catalogue);
    for (const [name, request] of Object.entries(requests)) {
      const { code, message, hint = '' } = JSON.parse((await ask(request, language)).text).error as WireError;
      expect([name, code]).toEqual([name, name.split(' ')[0]]);
      expect(`${message} ${hint}`, name).toMatch(wanted);
      expect(`${message} ${hint}`, name).not.toMatch(unwanted);
    }
  },
);

test('what stands in the way of a new conversation is told in the language that was asked for', async () => {
  const desk = await deskWith(() => ({ max: ECHO }));
  desk.machine.write('huddle.jsonc', teamFile({ max: { agentType: 'command', command: ['ls'] } }));
  const ask = await serve(desk);
  const body = {};
  for (const request of [{ path: '/api/session' }, { method: 'POST', path: '/api/conversations', body }]) {
    expect((await ask(request, 'zh-CN')).text).toMatch(/FOLDER_NOT_TRUSTED.*\p{Script=Han}/u);
    expect((await ask(request, 'en')).text).toMatch(/FOLDER_NOT_TRUSTED/u);
    expect((await ask(request, 'en')).text).not.toMatch(CHINESE);
  }
  desk.machine.write('huddle.jsonc', '{"name":"x"}');
  expect((await ask({ path: '/api/session' }, 'zh-CN')).text).toMatch(/TEAM_FILE_INVALID.*\p{Script=Han}/u);
});

test('a session of another folder says so in the language that was asked for', async () => {
  const first = await deskWith(() => ({ max: ECHO }));
  const id = await first.create();
  await first.send(id, 'Hello.');
  await first.desk.close();
  const elsewhere = join(first.machine.folder, 'other');
  mkdirSync(elsewhere);
  const ask = await serve(await openDesk({ ...first.machine, project: elsewhere }));
  const resume = { method: 'POST', path: `/api/conversations/${id}/actions`, body: { do: 'resume' } };
  expect((await ask(resume, 'zh-CN')).text).toMatch(/OTHER_FOLDER.*\p{Script=Han}/u);
  expect((await ask(resume, 'en')).text).not.toMatch(CHINESE);
});

test('a request that asks for a language that Huddle does not speak is told in that of the process', async () => {
  const desk = await deskWith(() => ({ max: ECHO }));
  const ask = await serve(desk);
  expect((await ask({ path: '/api/nothing' }, 'de-DE,de;q=0.9')).text).toContain('Nothing here.');
  const askChinese = await serve(desk, chinese);
  expect((await askChinese({ path: '/api/nothing' }, 'de-DE,de;q=0.9')).text).toMatch(CHINESE);
});

test.each([
  ['CROSS_SITE', { path: '/', headers: { 'sec-fetch-site': 'cross-site' } }],
  ['WRONG_HOST', { path: '/', headers: { host: 'example.com' } }],
  ['NOT_LOGGED_IN', { path: '/api/session' }],
  ['WRONG_CODE', { method: 'POST', path: '/api/login', body: { code: 'wrong' } }],
] as const)('%s is told to who is not let in in the language that was asked for', async (code, request) => {
  const server = await startServer({
    describe: (error, words) => ({
      ...(error as HuddleError),
      message: describeError(error as HuddleError, words),
    }),
  });
  const ask = async (language: string) => {
    const headers = { ...('headers' in request && request.headers), 'accept-language': language };
    const answer = await server.ask({ ...request, headers });
    expect(answer.code).toBe(code);
    return Buffer.from(answer.text, 'latin1').toString('utf8');
  };
  expect(await ask('zh-CN,zh;q=0.9')).toMatch(CHINESE);
  expect(await ask('en')).not.toMatch(CHINESE);
});
