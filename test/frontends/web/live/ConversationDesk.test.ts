import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDemo } from '../../../../src/cli/serve/openDemo.js';
import { isReadOnly, resumeCommand } from '../../../../src/frontends/web/folds.js';
import type { HuddleError } from '../../../../src/models/errors.js';
import type { ConversationId } from '../../../../src/models/ids.js';
import { SqliteStore } from '../../../../src/store/sqlite/SqliteStore.js';
import { createMachine, finished, type Machine, teamFile } from '../../../cli/runHuddle.js';
import { WebServer } from '../browser/WebServer.js';
import {
  deskWith,
  ECHO,
  type Frame,
  messageOf,
  type OpenedDesk,
  openDesk,
  recorded,
  saying,
  stepping,
} from './desk.js';

/** A file that lets an agent go on. */
function gateOf({ folder }: Machine): string {
  return join(folder, 'gate');
}

/** An agent that begins to answer and waits for the gate. */
function waiting(machine: Machine): object {
  return stepping(machine, [saying('Half.'), { until: gateOf(machine) }]);
}

const QUESTION = { toolCallId: 'a', name: 'Bash', kind: 'execute', rawInput: { command: 'npm publish' } };

/** An agent that asks for permission. */
function asking(machine: Machine): object {
  return stepping(machine, [{ ask: QUESTION, as: 'a' }, { answer: 'a' }]);
}

/** The code of the error that a call ends with. */
async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error: HuddleError) => error.code,
  );
}

/** Whether any process has the conversation open. */
async function isOpen({ house }: OpenedDesk, id: string): Promise<boolean> {
  const { summary, reader } = await house.read(id);
  await reader.close();
  return summary.state === 'open';
}

/** More time than a session rests in these tests. */
async function passTime(desk: OpenedDesk): Promise<void> {
  for (let round = 0; round < 20; round++) await desk.call('list', { query: { scope: 'all' } });
}

describe('a conversation in the page', () => {
  test('is made, said something in, and told as it happens', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    const empty = await desk.call('show', { id });
    expect(empty).toMatchObject({ running: [], limits: { agentTurns: 20 }, summary: { requests: [], id } });
    const stream = await desk.stream({ conversation: id, after: empty.seq });
    await desk.send(id, 'Hello.');
    await stream.until(recorded('waiting-for-human'));
    const log = await desk.log(id);
    expect(stream.frames[0]).toEqual({ event: 'live', data: { running: [], requests: [] } });
    expect(stream.events()).toEqual(log.filter(({ seq }) => seq > empty.seq));
    const shown = await desk.call('show', { id });
    expect(shown.blocks.map(({ block }) => block.kind)).toEqual(['start', 'message', 'message']);
    expect(shown.from).toBeUndefined();
    expect(desk.errors).toEqual([]);
  });

  test('takes no lease while browsers only look at it', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    await desk.call('show', { id });
    await desk.stream({ conversation: id });
    expect(await isOpen(desk, id)).toBe(false);
    await desk.call('act', { id, body: { do: 'cancel' } });
    expect(await codeOf(desk.call('decide', { id, body: { requestId: 'x', verdict: 'allow' } }))).toBe(
      'UNKNOWN_PERMISSION_REQUEST',
    );
    expect(await isOpen(desk, id)).toBe(false);
  });

  test('is opened once by many requests at once', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    const sent = ['One.', 'Two.', 'Three.'].map((content) => desk.send(id, content));
    await Promise.all([...sent, desk.call('act', { id, body: { do: 'retry' } })]);
    const log = await desk.log(id);
    const said = log.flatMap((event) =>
      event.type === 'message-added' && event.message.speaker.type === 'human' ? event.message.content : [],
    );
    expect(said.sort()).toEqual(['One.', 'Three.', 'Two.']);
  });

  test('is let go of after the last browser left and nothing runs, and not before', async () => {
    const desk = await deskWith((machine) => ({ max: waiting(machine) }), { times: { rest: 1 } });
    const id = await desk.create();
    const stream = await desk.stream({ conversation: id });
    await desk.send(id, 'Go.');
    await stream.until(({ event }) => event === 'progress');
    stream.cut();
    // It runs, though no one looks at it.
    await passTime(desk);
    expect(await isOpen(desk, id)).toBe(true);
    const again = await desk.stream({ conversation: id });
    writeFileSync(gateOf(desk.machine), '');
    await again.until(messageOf('max'));
    await passTime(desk);
    // Someone looks at it, though nothing runs.
    expect(await isOpen(desk, id)).toBe(true);
    again.cut();
    await expect.poll(() => isOpen(desk, id)).toBe(false);
    // And it is opened again when someone says something.
    await desk.send(id, 'More.');
    expect(await isOpen(desk, id)).toBe(true);
    expect(desk.errors).toEqual([]);
  });

  test('is shown while a turn runs, with its text so far', async () => {
    const desk = await deskWith((machine) => ({ max: waiting(machine) }));
    const id = await desk.create();
    const stream = await desk.stream({ conversation: id });
    await desk.send(id, 'Go.');
    await stream.until(({ event }) => event === 'progress');
    const shown = await desk.call('show', { id });
    expect(shown.running).toEqual([{ turnId: 'turn-1', text: 'Half.' }]);
    expect(shown.telling.turns).toMatchObject([{ turnId: 'turn-1', member: { name: 'max' } }]);
    expect(shown.summary).toMatchObject({ running: ['turn-1'], state: 'open' });
    expect(shown.summary.openIn).toBeUndefined();
    expect(JSON.parse(JSON.stringify(shown.telling))).toEqual(shown.telling);
    await desk.call('act', { id, body: { do: 'cancel' } });
    await stream.until(recorded('turn-end'));
    expect(await desk.call('act', { id, body: { do: 'retry' } })).toEqual({ turns: 1 });
  });

  test('keeps drafts and ends everything in time when the desk closes', async () => {
    const desk = await deskWith((machine) => ({ max: waiting(machine) }));
    const id = await desk.create();
    const stream = await desk.stream({ conversation: id });
    await desk.send(id, 'Go.');
    await stream.until(({ event }) => event === 'progress');
    const began = performance.now();
    await desk.desk.close();
    expect(performance.now() - began).toBeLessThan(3000);
    await stream.ended;
    expect(stream.frames.at(-1)).toEqual({ event: 'ended', data: { why: 'closing' } });
    const end = (await desk.log(id)).find(({ type }) => type === 'turn-end');
    expect(end).toMatchObject({ result: { draft: 'Half.' } });
    expect(await isOpen(desk, id)).toBe(false);
    expect(await codeOf(desk.send(id, 'More.'))).toBe('CONVERSATION_CLOSED');
  });
});

describe('a conversation that could not be written down', () => {
  test('has ended here, and is opened again by whoever sends', async () => {
    const desk = await deskWith((machine) => ({ max: waiting(machine) }));
    const id = await desk.create();
    const stream = await desk.stream({ conversation: id });
    await desk.send(id, 'Go.');
    await stream.until(({ event }) => event === 'progress');
    const file = join(desk.machine.env.HUDDLE_HOME ?? '', 'conversations.sqlite');
    const store = new SqliteStore({ file });
    const log = await store.open(id, { takeOver: true });
    writeFileSync(gateOf(desk.machine), '');
    await expect.poll(() => desk.errors.map((error) => (error as HuddleError).code)).toEqual(['LEASE_LOST']);
    expect(await codeOf(desk.send(id, 'More.'))).toBe('CONVERSATION_LOCKED');
    await log.close();
    await store.close();
    await desk.send(id, 'More.');
    await stream.until(messageOf('max'));
    expect(stream.events()).toEqual((await desk.log(id)).slice(-stream.events().length));
  });
});

describe('a shortened id', () => {
  test('is enough to look, and to nothing else', async () => {
    const desk = await deskWith((machine) => ({ max: waiting(machine) }));
    const id = await desk.create();
    await desk.send(id, 'Go.');
    const short = id.slice(-4);
    expect((await desk.call('show', { id: short })).summary.id).toBe(id);
    const refused = [
      desk.send(short, 'More.'),
      desk.call('act', { id: short, body: { do: 'cancel' } }),
      desk.call('decide', { id: short, body: { requestId: 'x', verdict: 'allow' } }),
      desk.call('remove', { id: short }),
    ].map(codeOf);
    expect(new Set(await Promise.all(refused))).toEqual(new Set(['UNKNOWN_CONVERSATION']));
    expect((await desk.stream({ conversation: short })).code).toBe('UNKNOWN_CONVERSATION');
  });
});

describe('sending', () => {
  test('with the same key says it once, at once, at the same time and later', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    const answers = await Promise.all([1, 2, 3].map(() => desk.send(id, 'Once.', 'k')));
    answers.push(await desk.send(id, 'Once.', 'k'));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await desk.send(id, 'Once.', 'another');
    const said = (await desk.log(id)).filter(
      (event) => event.type === 'message-added' && event.message.content === 'Once.',
    );
    expect(said).toHaveLength(2);
  });

  test('with the same key from two browsers, or in two conversations, says both', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const [one, other] = [await desk.create(), await desk.create()];
    const send = (id: string, browserId: string, content: string) =>
      desk.call('send', { id, body: { content }, onceKey: 'k', browserId });
    await send(one, 'b1', 'Hers.');
    await send(one, 'b2', 'His.');
    await send(other, 'b1', 'There.');
    const said = async (id: string) =>
      (await desk.log(id)).flatMap((event) =>
        event.type === 'message-added' && event.turnId === undefined ? event.message.content : [],
      );
    expect([await said(one), await said(other)]).toEqual([['Hers.', 'His.'], ['There.']]);
  });

  test('what failed can be tried again with the same key', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    expect(await codeOf(desk.send(id, '   ', 'k'))).toBe('EMPTY_MESSAGE');
    expect(await codeOf(desk.send(id, 'Hello.', 'k'))).toBe('done');
  });

  test('is refused in a folder that is not trusted any more, and nothing is made there', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    desk.machine.write('huddle.jsonc', teamFile({ max: { ...ECHO, command: ['/bin/echo', 'Other.'] } }));
    expect(await codeOf(desk.send(id, 'Hello.'))).toBe('FOLDER_NOT_TRUSTED');
    expect(await codeOf(desk.create())).toBe('FOLDER_NOT_TRUSTED');
    expect(await desk.call('whoAmI')).toMatchObject({
      refusal: { code: 'FOLDER_NOT_TRUSTED' },
      people: ['kim'],
    });
    await desk.machine.trust();
    expect(await codeOf(desk.send(id, 'Hello.'))).toBe('done');
  });
});

describe('a permission request', () => {
  async function ask(desk: OpenedDesk) {
    const id = await desk.create();
    const stream = await desk.stream({ conversation: id });
    await desk.send(id, 'Publish it.');
    await stream.until(({ data }) => data.event?.type === 'permission-request');
    const { summary } = await desk.call('show', { id });
    const [request] = summary.requests;
    return { id, stream, request, requestId: request?.requestId ?? '' };
  }

  test('is listed first and whole, and answered by the faster of two browsers', async () => {
    const desk = await deskWith((machine) => ({ max: asking(machine) }));
    const { id, stream, request, requestId } = await ask(desk);
    expect(request).toMatchObject({ turnId: 'turn-1', memberName: 'max', command: 'npm publish' });
    const late = await desk.stream({ conversation: id });
    await late.until(({ event }) => event === 'live');
    expect(late.frames[0]?.data.requests).toEqual([request]);
    const page = await desk.call('list', { query: { scope: 'here' } });
    expect(page.conversations[0]?.requests).toEqual([request]);
    const answers = ['allow', 'deny'].map((verdict) =>
      codeOf(desk.call('decide', { id, body: { requestId, verdict: verdict as 'allow' } })),
    );
    expect((await Promise.all(answers)).sort()).toEqual(['UNKNOWN_PERMISSION_REQUEST', 'done']);
    await stream.until(messageOf('max'));
    const decided = stream.events().filter(({ type }) => type === 'permission-decided');
    expect(decided).toMatchObject([
      { requestId, decision: 'allowed', by: { kind: 'person', memberId: 'kim' } },
    ]);
    expect((await desk.call('show', { id })).summary.requests).toEqual([]);
  });
});

describe('a session that another process has open', () => {
  test('is watched: facts appear within a second, and the process is named to whoever sends', async () => {
    const desk = await deskWith((machine) => ({ max: waiting(machine) }));
    const home = await desk.stream({ browserId: 'b2' });
    const child = desk.machine.start(['run', 'Go.']);
    child.stdin.end();
    const over = finished(child);
    const isThere = ({ event, data }: Frame) => event === 'sessions' && data.changed[0]?.openIn === child.pid;
    const frames = await home.until(isThere);
    const id: ConversationId = frames.find(isThere)?.data.changed[0].id;
    const shown = await desk.call('show', { id });
    expect(shown.summary).toMatchObject({ openIn: child.pid });
    expect(isReadOnly(shown.summary)).toBe(true);
    const stream = await desk.stream({ conversation: id, after: 0 });
    await stream.until(recorded('turn-start'));
    const refused = [
      desk.send(id, 'Hello.'),
      desk.call('act', { id, body: { do: 'cancel' } }),
      desk.call('act', { id, body: { do: 'resume' } }),
      desk.call('decide', { id, body: { requestId: 'x', verdict: 'allow' } }),
      desk.call('remove', { id }),
    ].map(codeOf);
    expect(new Set(await Promise.all(refused))).toEqual(new Set(['CONVERSATION_LOCKED']));
    writeFileSync(gateOf(desk.machine), '');
    await stream.until(messageOf('max'));
    const [written] = stream.events().filter(({ type }) => type === 'turn-end');
    expect(Date.now() - (written?.at ?? 0)).toBeLessThan(1000);
    expect((await over).code).toBe(0);
    expect(stream.events()).toEqual((await desk.log(id)).slice(0, stream.events().length));
    // It is free now, which every page is told, and continued here.
    await home.until(
      ({ event, data }) =>
        event === 'sessions' &&
        data.changed.some(
          (each: { messages: number; openIn?: number }) => each.messages === 2 && !each.openIn,
        ),
    );
    await desk.send(id, 'More.');
    await stream.until(({ data }) => data.type === 'message-added' && data.message.content === 'More.');
    expect(desk.errors).toEqual([]);
  });
});

describe('two servers of one user', () => {
  test('list the requests of each other, with the process that can be asked', async () => {
    const desk = await deskWith((machine) => ({ max: asking(machine) }));
    const server = await WebServer.start(desk.machine);
    const { code } = /code=(?<code>.*)$/u.exec(server.address)?.groups ?? {};
    const ask = async (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${server.origin}/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const entered = await ask('/login', { code });
    const { key } = (await entered.json()) as { key: string };
    const known = {
      'x-huddle-key': key,
      cookie: (entered.headers.get('set-cookie') ?? '').replace(/;.*$/u, ''),
      'idempotency-key': 'k',
    };
    const { id } = (await (await ask('/conversations', {}, known)).json()) as { id: string };
    await ask(`/conversations/${id}/messages`, { content: 'Publish it.' }, known);
    const list = async () => (await desk.call('list', { query: { scope: 'here' } })).conversations[0];
    await expect
      .poll(async () => (await list())?.requests.map(({ command }) => command))
      .toEqual(['npm publish']);
    expect(await list()).toMatchObject({ id, openIn: server.process.pid, requests: [{ memberName: 'max' }] });
    const decision = desk.call('decide', { id, body: { requestId: 'x', verdict: 'allow' } });
    expect(await codeOf(decision)).toBe('CONVERSATION_LOCKED');
    const began = performance.now();
    await server.stop('SIGINT');
    expect(performance.now() - began).toBeLessThan(3000);
    expect(await list()).toMatchObject({ id, requests: [] });
    expect((await list())?.openIn).toBeUndefined();
  });
});

describe('a session of another folder', () => {
  test('can be read, and says how to continue it there', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    await desk.send(id, 'Hello.');
    const elsewhere = join(desk.machine.folder, "kim's other");
    mkdirSync(elsewhere);
    await desk.desk.close();
    const other = await openDesk({ ...desk.machine, project: elsewhere });
    const { blocks, summary } = await other.call('show', { id });
    expect(blocks.length).toBeGreaterThan(1);
    expect(summary.isElsewhere).toBe(true);
    const command = `cd ${desk.machine.project} && huddle resume ${id}`;
    expect(isReadOnly(summary)).toBe(true);
    expect(resumeCommand(id, summary.folder)).toBe(command);
    await expect(other.send(id, 'More.')).rejects.toThrow(command);
    expect((await other.call('list', { query: { scope: 'here' } })).conversations).toEqual([]);
    expect((await other.call('list', { query: { scope: 'all' } })).conversations).toMatchObject([
      { id, isElsewhere: true },
    ]);
  });
});

describe('changes of files', () => {
  test('are undone through the handle, after their plan', async () => {
    const max = { agentType: 'command', command: ['/bin/sh', '-c', 'echo new > made.txt; echo Done.'] };
    const desk = await deskWith(() => ({ max }), { team: { files: {} } });
    const made = join(desk.machine.project, 'made.txt');
    const id = await desk.create();
    const stream = await desk.stream({ conversation: id });
    await desk.send(id, 'Make it.');
    await stream.until(recorded('files-recorded'));
    const act = (isDryRun: boolean) => desk.call('act', { id, body: { do: 'undo', isDryRun } });
    await expect
      .poll(async () => (await act(true)).files)
      .toEqual({
        action: 'undo',
        what: 'turn-1',
        of: ['turn-1'],
        members: ['max'],
        files: [{ path: 'made.txt', action: 'remove' }],
        total: 1,
        git: [],
      });
    expect(existsSync(made)).toBe(true);
    expect((await act(false)).files).toMatchObject({ id: 'undo-1', of: ['turn-1'], total: 1 });
    expect(existsSync(made)).toBe(false);
    expect(await codeOf(desk.call('act', { id, body: { do: 'apply', isDryRun: true } }))).toBe(
      'UNKNOWN_CHANGE',
    );
    expect(await codeOf(act(true))).toBe('NOTHING_TO_UNDO');
  });
});

describe('the demonstration', () => {
  test('is offered without a team file and an agent, and plays in memory', async () => {
    const machine = createMachine();
    const desk = await openDesk(machine, { openDemo: () => openDemo({ userName: 'kim' }) });
    expect(await desk.call('whoAmI')).toMatchObject({
      hasDemo: true,
      refusal: { code: 'AGENT_MISSING' },
      people: [],
    });
    const { id } = await desk.call('create', { body: { isDemo: true } });
    const stream = await desk.stream({ conversation: id, after: 0 });
    await stream.until(recorded('waiting-for-human'));
    const { conversations } = await desk.call('list', { query: { scope: 'here' } });
    expect(conversations).toMatchObject([{ id, isDemo: true, isRehearsal: true }]);
    expect(await desk.desk.eventsInMemory(id)).toEqual(stream.events());
    await desk.send(id, 'And on a phone?');
    await stream.until(({ data }) => /And on a phone/u.test(data.message?.content) && data.turnId);
    expect(await codeOf(desk.house.read(id))).toBe('UNKNOWN_CONVERSATION');
  });
});

describe('the list', () => {
  test('has what needs a person first, is searched by text, and has pages', async () => {
    const desk = await deskWith(() => ({
      max: ECHO,
      olga: { agentType: 'command', command: ['/bin/sh', '-c', 'echo "kim, which one? [NEXT: kim]"'] },
      paul: { agentType: 'command', command: ['/bin/false'] },
    }));
    const ids: Record<string, string> = {};
    for (const [name, content] of [
      ['failed', 'First. [NEXT: paul]'],
      ['waits', 'Second. [NEXT: olga]'],
      ['done', 'Third, about the NEEDLE. [NEXT: max]'],
    ] as const) {
      const id = await desk.create();
      ids[name] = id;
      const stream = await desk.stream({ conversation: id });
      await desk.send(id, content);
      await stream.until(recorded('turn-end'));
      await stream.until(({ data }) => data.type === 'waiting-for-human' || data.type === 'turn-end');
    }
    const list = async (query: object) =>
      (await desk.call('list', { query: { scope: 'here', ...query } })).conversations.map(({ id }) => id);
    await expect.poll(() => list({})).toEqual([ids.waits, ids.failed, ids.done]);
    expect(await list({ text: 'needle' })).toEqual([ids.done]);
    expect(await list({ text: 'which one' })).toEqual([ids.waits]);
    expect(await list({ before: 2 })).toEqual([ids.done]);
  });
});
