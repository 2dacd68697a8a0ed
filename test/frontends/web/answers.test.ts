import { expect, test } from 'vitest';
import { ANSWERS, describeApi } from '../../../src/frontends/web/describeApi.js';
import type { RouteName, WebRoute } from '../../../src/frontends/web/routes.js';
import { createScene, WebServer } from './browser/WebServer.js';
import { routes } from './routeRequests.js';

/** Asks a real server for everything; what it answered, in that order. */
async function askEverything(): Promise<readonly (readonly [name: RouteName, answer: unknown])[]> {
  const answers: (readonly [name: RouteName, answer: unknown])[] = [];
  const machine = await createScene();
  machine.write('src/server.ts', 'export async function upload(request: Request): Promise<string> {\n}\n');
  const server = await WebServer.start(machine);
  const known: Record<string, string> = { 'content-type': 'application/json' };
  const ask = async (name: RouteName, path: string, body?: object) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const key = { 'idempotency-key': String(answers.length) };
    const response = await fetch(`${server.origin}/api${path}`, { ...init, headers: { ...known, ...key } });
    // biome-ignore lint/suspicious/noExplicitAny: any answer, which the test compares with its description.
    const answer: any = await response.json();
    if (!response.ok) throw new Error(`${name} ${path}: ${JSON.stringify(answer)}`);
    answers.push([name, answer]);
    return { answer, response };
  };
  const { code } = /code=(?<code>.*)$/u.exec(server.address)?.groups ?? {};
  const { answer, response } = await ask('login', '/login', { code });
  known['x-huddle-key'] = answer.key;
  known.cookie = (response.headers.get('set-cookie') ?? '').replace(/;.*$/u, '');
  await ask('whoAmI', '/session');
  await ask('invite', '/invitations', { role: 'watch' });
  await ask('describe', '/openapi.json');
  const { id } = (await ask('create', '/conversations', {})).answer;
  const path = `/conversations/${id}`;
  const say = async (
    content: string,
    isThere: (answer: { messages: number; requests: unknown[] }) => boolean,
  ) => {
    await ask('send', `${path}/messages`, { content });
    await expect
      .poll(async () => isThere((await ask('list', '/conversations')).answer.conversations[0]), {
        timeout: 30_000,
      })
      .toBe(true);
  };
  await say('[TEAM_TASK] Limits\n\n@ann scene:reply reply=plan', ({ messages }) => messages === 2);
  await expect
    .poll(async () => (await ask('changes', `${path}/changes`)).answer.units.length, { timeout: 30_000 })
    .toBe(1);
  await ask('act', `${path}/actions`, { do: 'undo', isDryRun: true });
  await ask('act', `${path}/actions`, { do: 'undo', isDryRun: false });
  await say('@bob scene:ask', ({ requests }) => requests.length === 1);
  await ask('show', path);
  await ask('older', `${path}/blocks?before=100`);
  await ask('members', `${path}/members`);
  await ask('why', `${path}/turns/turn-1`);
  await ask('changes', `${path}/changes?turn=turn-1`);
  await ask('cost', `${path}/cost`);
  await ask('search', `${path}/search?text=scene`);
  await ask('act', `${path}/actions`, { do: 'cancel' });
  await ask('act', `${path}/actions`, { do: 'retry' });
  return answers;
}

const answered = routes.filter(([, { answers: kind = 'json', status }]) => kind === 'json' && status !== 204);

test('a server answers what the description says, and nothing else', async () => {
  const answers = await askEverything();
  expect(new Set(answers.map(([name]) => name))).toEqual(new Set(answered.map(([name]) => name)));
  // What a schema does not name, it leaves out.
  for (const [name, answer] of answers) expect(ANSWERS[name]?.parse(answer), name).toEqual(answer);
});

test('every answer is described to programs', () => {
  const { paths } = describeApi('1.2.3') as { paths: Record<string, Record<string, { responses: object }>> };
  const schemaOf = ({ path, method, status = 200 }: WebRoute) => {
    const operation = paths[path.replaceAll(/:(\w+)/gu, '{$1}')]?.[method.toLowerCase()];
    const response = Object.entries(operation?.responses ?? {}).find(
      ([code]) => code === String(status),
    )?.[1];
    return response?.content?.['application/json']?.schema;
  };
  for (const [, route] of answered) expect(schemaOf(route)).toMatchObject({ type: 'object' });
  expect(schemaOf(routes.find(([name]) => name === 'search')?.[1] as WebRoute)).toMatchObject({
    required: ['hits', 'isCut'],
    properties: { hits: { type: 'array', items: { properties: { messageId: { type: 'string' } } } } },
  });
});
