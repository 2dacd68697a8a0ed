import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ConversationFact, RecordedEvent } from '../../../../src/models/ConversationEvent.js';
import type { ConversationId } from '../../../../src/models/ids.js';
import { SqliteStore } from '../../../../src/store/sqlite/SqliteStore.js';
import type { Machine } from '../../../cli/runHuddle.js';
import { createMachine, teamFile } from '../../../cli/runHuddle.js';
import { deskWith, ECHO, type Frame, messageOf, openDesk, recorded, saying, stepping } from './desk.js';

/** A file that lets an agent go on. */
function gate({ folder }: Machine, number: number): string {
  const gates = join(folder, 'gates');
  mkdirSync(gates, { recursive: true });
  return join(gates, String(number));
}

function tool(number: number): object {
  return {
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: `tool-${number}`,
      title: `Tool ${number}`,
      kind: 'read',
      status: 'completed',
    },
  };
}

/** A page's texts, from the frames that a reader got. */
function applyTexts(texts: Map<string, string>, frames: readonly Frame[]): void {
  for (const { event, data } of frames) {
    if (event === 'live') {
      texts.clear();
      for (const { turnId, text } of data.running) texts.set(turnId, text);
    }
    if (event === 'progress')
      texts.set(data.turnId, (texts.get(data.turnId) ?? '').slice(0, data.at) + data.text);
  }
}

/** A log of so many events, in the store of a machine. */
async function writeLog({ env, project }: Machine, length: number): Promise<ConversationId> {
  const id = '20261116-0900-aaaa' as ConversationId;
  const facts = [
    {
      type: 'conversation-start',
      conversationId: id,
      isRehearsal: false,
      team: { name: 'team', members: [{ id: 'kim', name: 'kim', type: 'human' }] },
    },
    {
      type: 'message-added',
      message: {
        id: 'msg-1',
        content: 'Hello.',
        speaker: { roleId: 'kim', roleName: 'kim', type: 'human' },
        timestamp: 1,
      },
    },
    ...Array.from({ length: length - 2 }, (_, index) => ({ type: 'task-changed', task: `Task ${index}` })),
  ] as ConversationFact[];
  const store = new SqliteStore({ file: join(env.HUDDLE_HOME ?? '', 'conversations.sqlite') });
  const log = await store.create(id, { folder: project });
  await log.restore(facts.map((fact, index): RecordedEvent => ({ ...fact, v: 1, at: 1, seq: index + 1 })));
  await log.close();
  await store.close();
  return id;
}

describe('a stream', () => {
  test('that is cut 20 times in a turn leaves a reader with the whole log, nothing twice, and the whole text', async () => {
    const cuts = 20;
    const desk = await deskWith((machine) => ({
      max: stepping(
        machine,
        Array.from({ length: cuts }, (_, index) => [
          saying(`Part ${index}. `),
          tool(index),
          { until: gate(machine, index) },
        ]).flat(),
      ),
    }));
    const id = await desk.create();
    const { seq: before } = await desk.call('show', { id });
    const events: RecordedEvent[] = [];
    const texts = new Map<string, string>();
    let stream = await desk.stream({ conversation: id, after: before });
    await desk.send(id, 'Go.');
    for (let cut = 0; cut < cuts; cut++) {
      await stream.until(({ data }) => data.event?.toolId === `tool-${cut}`);
      stream.cut();
      events.push(...stream.events());
      applyTexts(texts, stream.frames);
      if (cut % 2 === 0) writeFileSync(gate(desk.machine, cut), '');
      stream = await desk.stream({ conversation: id, lastEventId: events.at(-1)?.seq ?? 0 });
      await stream.until(({ event }) => event === 'live');
      applyTexts(texts, stream.frames.slice(0, 1));
      expect([...texts.values()].join()).toContain(`Part ${cut}. `);
      if (cut % 2 === 1) writeFileSync(gate(desk.machine, cut), '');
    }
    await stream.until(recorded('waiting-for-human'));
    events.push(...stream.events());
    const log = (await desk.log(id)).filter(({ seq }) => seq > before);
    expect(events).toEqual(log);
    expect(desk.errors).toEqual([]);
  }, 60_000);

  test('begins anew where the reader is beyond the end, or too far behind', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile({ max: ECHO }));
    const id = await writeLog(machine, 5100);
    const desk = await openDesk(machine);
    const codeOf = async (lastEventId: number) =>
      (await desk.stream({ conversation: id, lastEventId })).code ?? 'open';
    expect([await codeOf(5101), await codeOf(99), await codeOf(100)]).toEqual(['RELOAD', 'RELOAD', 'open']);
    const stream = await desk.stream({ conversation: id, after: 100 });
    await stream.until(({ id }) => id === 5100);
    expect(stream.events().map(({ seq }) => seq)).toEqual(Array.from({ length: 5000 }, (_, at) => at + 101));
  });

  test('continues after the newer one of what its address and its last event say', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    await desk.send(id, 'Hello.');
    await (await desk.stream({ conversation: id, after: 0 })).until(messageOf('max'));
    for (const [after, lastEventId] of [
      [1, 3],
      [3, 1],
    ] as const) {
      const stream = await desk.stream({ conversation: id, after, lastEventId });
      await stream.until(messageOf('max'));
      expect(stream.events()[0]?.seq).toBe(4);
    }
  });

  test('is refused for a conversation that there is not', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    await desk.create();
    const stream = await desk.stream({ conversation: 'nowhere' });
    expect([stream.status, stream.code]).toEqual([409, 'UNKNOWN_CONVERSATION']);
  });

  test('gives way to the fifth of its browser, and only there', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    const other = await desk.stream({ conversation: id, browserId: 'b2' });
    const streams = [];
    for (let number = 0; number < 5; number++) streams.push(await desk.stream({ conversation: id }));
    await streams[0]?.ended;
    await Promise.all(streams.map((stream) => stream.until(({ event }) => event === 'live')));
    expect(streams.map(({ frames }) => frames.at(-1)?.event)).toEqual([
      'ended',
      'live',
      'live',
      'live',
      'live',
    ]);
    expect(streams[0]?.frames.at(-1)?.data).toEqual({ why: 'superseded' });
    await desk.send(id, 'Hello.');
    await Promise.all([other, ...streams.slice(1)].map((stream) => stream.until(messageOf('max'))));
  });

  test('is refused when 64 are open', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const open = [];
    for (let number = 0; number < 64; number++)
      open.push(await desk.stream({ browserId: `b${Math.floor(number / 4)}` }));
    expect((await desk.stream({ browserId: 'one more' })).code).toBe('TOO_MANY_STREAMS');
    // One of a browser that has four takes the place of its oldest.
    expect((await desk.stream({ browserId: 'b3' })).status).toBe(200);
    open[0]?.cut();
    await expect.poll(async () => (await desk.stream({ browserId: 'one more' })).status).toBe(200);
  });

  test('that is left before it began leaves nothing behind', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const id = await desk.create();
    for (let number = 0; number < 80; number++)
      await desk.leaveAtOnce({ conversation: id, browserId: `b${number}` });
    expect((await desk.stream({ conversation: id, browserId: 'one more' })).status).toBe(200);
  });

  test('says that the server is there, as an event', async () => {
    const desk = await deskWith(() => ({ max: ECHO }), { times: { alive: 20 } });
    const stream = await desk.stream({});
    const frames = await stream.until(({ event }) => event === 'alive');
    expect(frames.slice(0, 2)).toEqual([
      { event: 'live', data: { running: [], requests: [] } },
      { event: 'alive', data: {} },
    ]);
  });

  test('tells every reader which sessions changed', async () => {
    const desk = await deskWith(() => ({ max: ECHO }));
    const home = await desk.stream({});
    const id = await desk.create();
    await desk.send(id, 'Hello, all.');
    const isDone = ({ event, data }: Frame) =>
      event === 'sessions' && data.changed.some((each: { messages: number }) => each.messages === 2);
    const frames = await home.until(isDone);
    expect(frames.find(isDone)?.data.changed).toMatchObject([{ id, title: 'Hello, all.', requests: [] }]);
    await desk.call('remove', { id });
    await home.until(({ event, data }) => event === 'sessions' && data.deleted.includes(id));
  });
});
