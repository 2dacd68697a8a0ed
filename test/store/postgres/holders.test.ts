import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { RecordedEvent } from '../../../src/models/ConversationEvent.js';
import { LEASE_TIMES, type LeaseTimes } from '../../../src/store/postgres/PostgresPresence.js';
import { openPostgresStore } from '../../../src/store/postgres/PostgresStore.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import { isFull } from '../../soak/isFull.js';
import { bundleProgram } from '../bundleProgram.js';
import { ID, OTHER_ID, start } from '../facts.js';
import { useFreshStore } from './freshStore.js';
import { HolderProcess } from './HolderProcess.js';

const ROUNDS = isFull ? 50 : 4;
const OPENERS = 12;
/** Short ones, so that a dead holder is replaced within a second. */
const TIMES: LeaseTimes = { lease: 600, renewEvery: 150, stopAfter: 450 };
/** Far more than a lease, for machines that are busy. */
const PATIENCE = 5000;

let program: string;

beforeAll(async () => {
  program = await bundleProgram(new URL('holderProgram.ts', import.meta.url));
});

afterAll(() => rmSync(dirname(program), { recursive: true }));

describePostgres('holders of a conversation', (server) => {
  useFreshStore(server, 'kim', 'bob');

  beforeEach(async () => {
    const store = await openPostgresStore({ url: server().url('kim') });
    const log = await store.create(ID);
    log.append([start(ID, 'kim', 'bob')]);
    await log.kept();
    await store.close();
  });

  const startHolder = (order: 'write' | 'open' | 'save', role: string): HolderProcess => {
    // Of many openers the one that wins is to stay the holder, however busy the machine is.
    const times = order === 'open' ? LEASE_TIMES : TIMES;
    const holder = new HolderProcess(program, order, server().url(role), times);
    onTestFinished(() => holder.end());
    return holder;
  };

  const readAll = async (): Promise<RecordedEvent[]> => {
    const store = await openPostgresStore({ url: server().url('kim') });
    try {
      return await toArray((await store.read(ID)).read());
    } finally {
      await store.close();
    }
  };

  test(`lose nothing when they are killed ${ROUNDS} times, and are replaced within a lease`, async () => {
    const acknowledged = new Map<number, number>();
    const waits: number[] = [];
    let holder = startHolder('write', 'kim');
    for (let round = 0; round < ROUNDS; round++) {
      await holder.told(2 + ((round * 37) % 120));
      const next = startHolder('write', round % 2 === 0 ? 'bob' : 'kim');
      holder.signal('SIGKILL');
      const died = performance.now();
      await holder.over();
      for (const [seq, sum] of holder.acknowledged) acknowledged.set(seq, sum);
      expect(await next.line('taken')).toMatch(`taken ${holder.pid} `);
      waits.push(performance.now() - died);
      holder = next;
    }
    await holder.end();
    for (const [seq, sum] of holder.acknowledged) acknowledged.set(seq, sum);
    const events = await readAll();
    const kept = new Map(events.map((event) => [event.seq, crc32(JSON.stringify(event))]));
    const lost = [...acknowledged].filter(([seq, sum]) => kept.get(seq) !== sum);
    report(`${ROUNDS} killed holders`, acknowledged.size, lost.length, Math.max(...waits));
    expect(lost).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(ROUNDS);
    expect(Math.max(...waits)).toBeLessThan(TIMES.lease + PATIENCE);
  });

  test(`save a whole conversation or nothing of it when they are killed on the way, ${ROUNDS} times`, async () => {
    const store = await openPostgresStore({ url: server().url('kim') });
    onTestFinished(() => store.close());
    for (let round = 0; round < ROUNDS; round++) {
      const saver = startHolder('save', 'kim');
      await saver.over();
      const found = (await store.find(OTHER_ID)).map(({ state, messages }) => ({ state, messages }));
      const isSaved = saver.lines.includes('saved');
      expect(found).toEqual(isSaved ? [{ state: 'done', messages: 3499 }] : []);
      if (isSaved) await store.delete(OTHER_ID);
    }
    await store.createWhole(OTHER_ID, { added: [start(OTHER_ID)] });
  });

  test(`write nothing late when they were stopped past their lease, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const stopped = startHolder('write', round % 2 === 0 ? 'kim' : 'bob');
      await stopped.line('taken');
      await stopped.told(2 + ((round * 37) % 120));
      stopped.signal('SIGSTOP');
      const next = startHolder('write', 'bob');
      const [, , , from] = (await next.line('taken')).split(' ');
      await next.told(20);
      stopped.signal('SIGCONT');
      expect(await stopped.line('ended')).toBe('ended LEASE_LOST');
      await next.told(40);
      await next.end();
      const late = (await readAll()).slice(Number(from)).filter((event) => !isBy(event, next.pid));
      expect(late).toEqual([]);
      const kept = new Map((await readAll()).map((event) => [event.seq, crc32(JSON.stringify(event))]));
      const lost = [...stopped.acknowledged, ...next.acknowledged].filter(
        ([seq, sum]) => kept.get(seq) !== sum,
      );
      expect(lost).toEqual([]);
    }
  });

  test(`are one of ${OPENERS} that open at once, be the one before gone or not there`, async () => {
    for (const before of isFull ? ['none', 'gone'] : ['gone']) {
      if (before === 'gone') {
        const gone = startHolder('write', 'kim');
        await gone.line('taken');
        await gone.end();
        // Only the database's clock counts.
        await server().admin("UPDATE huddle.process SET expires = now() - interval '1 second'");
      }
      const openers = Array.from({ length: OPENERS }, (_, index) =>
        startHolder('open', index % 2 === 0 ? 'kim' : 'bob'),
      );
      await Promise.all(openers.map((opener) => opener.told(1)));
      const answers = openers.map(({ lines }) => lines[0]).sort();
      expect(answers).toEqual([...Array(OPENERS - 1).fill('CONVERSATION_LOCKED'), 'won']);
      await Promise.all(openers.map((opener) => opener.end()));
      await server().admin("UPDATE huddle.process SET expires = now() - interval '1 second'");
    }
  });
});

function isBy(event: RecordedEvent, pid: number): boolean {
  return event.type === 'title-changed' && event.title?.startsWith(`${pid} `) === true;
}

function report(what: string, acknowledged: number, lost: number, longest: number): void {
  if (isFull)
    console.log(
      `${what}: ${acknowledged} acknowledged, ${lost} lost; longest wait ${Math.round(longest)} ms`,
    );
}
