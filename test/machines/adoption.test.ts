import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { ConversationId } from '../../src/models/ids.js';
import { inviteRole } from '../../src/store/postgres/administer.js';
import type { Store } from '../../src/store/Store.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { bundleProgram } from '../store/bundleProgram.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { sitDown } from './table.js';
import { gatedCodex, remoteTeam, startWorker } from './workerStage.js';

let program: string;

beforeAll(async () => {
  program = await bundleProgram(new URL('holderProgram.ts', import.meta.url));
});

afterAll(() => rmSync(dirname(program), { recursive: true }));

describePostgres('a turn that outlives the process that asked for it', (server) => {
  beforeAll(async () => {
    await makeFreshStore(server(), 'kim', 'gpu_box');
    await inviteRole(server().url(), 'gpu_box', { worker: true });
  });

  let conversations = 0;

  /** A conversation in which sarah is in the middle of a turn on gpu_box, and whose holder was killed. */
  const abandon = async (whileAlive: () => Promise<unknown> = async () => undefined) => {
    const keyFile = join(makeTemporaryFolder(), 'key.pem');
    const gate = join(makeTemporaryFolder(), 'gate');
    const team = remoteTeam({ name: 'sarah', agentType: 'codex' });
    const box = await startWorker(server(), {
      members: [{ name: 'sarah', agentType: 'codex', command: gatedCodex(gate) }],
      keyFile,
    });
    const id = `adopted-${++conversations}` as ConversationId;
    const args = [program, server().url('kim'), keyFile, id, JSON.stringify(team), '[NEXT: sarah] Go.'];
    const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void holder.kill('SIGKILL'));
    const kim = await sitDown(server(), 'kim');
    await vi.waitFor(
      async () => expect(toolsOf(await eventsOf(kim.store, id))).toContain('tool-end run one'),
      {
        timeout: 15_000,
      },
    );
    await whileAlive();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const open = async () => {
      // Whoever opens it waits until the lease of the dead one is over.
      await vi.waitFor(
        async () => {
          const [row] = await server().admin<{ gone: boolean }>(
            'SELECT bool_and(expires < now()) AS gone FROM huddle.process WHERE pid = $1',
            [holder.pid],
          );
          expect(row?.gone).toBe(true);
        },
        { timeout: 5000 },
      );
      return kim.open(id, team, { keyFile, rehearsal: undefined });
    };
    return { box, gate, open };
  };

  test('runs on, and the next holder takes the rest of it', async () => {
    const { box, gate, open } = await abandon();
    const conversation = await open();
    expect(conversation.snapshot().phase).toMatchObject({ kind: 'running' });
    writeFileSync(gate, '');
    await conversation.settled();
    expectWhole(await toArray(conversation.history()));
    expect(box.news.map(({ kind }) => kind)).toEqual(['asked', 'ended']);
    expect(await server().admin('SELECT * FROM huddle.turn')).toEqual([]);
  });

  test('and has ended meanwhile is taken by the next holder all the same', async () => {
    const { box, gate, open } = await abandon();
    writeFileSync(gate, '');
    await vi.waitFor(() => expect(box.news.map(({ kind }) => kind)).toContain('ended'), { timeout: 10_000 });
    const conversation = await open();
    await conversation.settled();
    expectWhole(await toArray(conversation.history()));
    expect(await server().admin('SELECT * FROM huddle.turn')).toEqual([]);
  });

  test('and whose worker died as well is interrupted with its draft, and with its session', async () => {
    const { box, open } = await abandon();
    await box.close();
    const conversation = await open();
    await conversation.settled();
    const events = await toArray(conversation.history());
    expect(events.filter(({ type }) => type === 'turn-end')).toMatchObject([
      { result: { kind: 'interrupted', draft: 'first' }, sessionId: 'thread-1' },
    ]);
    expect(events.some((event) => event.type === 'notice' && event.code === 'worker-lost')).toBe(true);
  });

  test('can be stopped by the next holder', async () => {
    const { box, open } = await abandon();
    const conversation = await open();
    await conversation.cancel();
    await conversation.settled();
    const events = await toArray(conversation.history());
    expect(events.filter(({ type }) => type === 'turn-end')).toMatchObject([
      { result: { kind: 'cancelled', draft: 'first' } },
    ]);
    await vi.waitFor(() => expect(box.news.map(({ kind }) => kind)).toEqual(['asked', 'withdrawn']), 5000);
    expect(await server().admin('SELECT * FROM huddle.turn')).toEqual([]);
  });
});

/** Everything of the turn is in the log, once. */
function expectWhole(events: readonly RecordedEvent[]): void {
  expect(toolsOf(events)).toEqual([
    'tool-start run one',
    'tool-end run one',
    'tool-start run two',
    'tool-end run two',
  ]);
  expect(events.filter(({ type }) => type === 'turn-end')).toMatchObject([
    { result: { kind: 'completed' }, sessionId: 'thread-1', usage: { inputTokens: 10, outputTokens: 5 } },
  ]);
  const sessions = events.filter((event) => event.type === 'turn-activity' && event.event.type === 'session');
  expect(sessions).toHaveLength(1);
  const [, answer] = events.filter((event) => event.type === 'message-added');
  expect(answer?.message.content).toBe('first\n\nsecond');
}

function toolsOf(events: readonly RecordedEvent[]): readonly string[] {
  const inputs = new Map<string, string>();
  return events.flatMap((event) => {
    if (event.type !== 'turn-activity') return [];
    if (event.event.type === 'tool-start') inputs.set(event.event.toolId, event.event.input);
    if (event.event.type !== 'tool-start' && event.event.type !== 'tool-end') return [];
    return [`${event.event.type} ${inputs.get(event.event.toolId)}`];
  });
}

async function eventsOf(store: Store, id: ConversationId): Promise<RecordedEvent[]> {
  const reader = await store.read(id);
  return toArray(reader.read());
}
