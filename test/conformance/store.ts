import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordedEvent, TurnResult } from '../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId, TurnId } from '../../src/models/ids.js';
import { numberFacts } from '../../src/store/numberFacts.js';
import type { Store } from '../../src/store/Store.js';
import type { ConversationStanding } from '../../src/store/summary.js';
import { failureOf } from '../failureOf.js';
import { ID, message, OTHER_ID, queued, start, turnEnd, turnStart } from '../store/facts.js';

/** What every store owes. `makeStore` is called once a test. */
export function testStore(name: string, makeStore: (clock: () => number) => Store): void {
  describe(name, () => {
    test('gives back what was appended, numbered from 1 and dated by its clock', () => {
      const store = make(makeStore);
      const log = store.create(ID);
      const appended = [...log.append([start(), message(1)]), ...log.append([message(2)])];
      expect(appended.map(({ v, seq, at }) => ({ v, seq, at }))).toEqual([
        { v: 1, seq: 1, at: 2 },
        { v: 1, seq: 2, at: 2 },
        { v: 1, seq: 3, at: 3 },
      ]);
      expect([...log.read()]).toEqual(appended);
      expect([...store.read(ID).read()]).toEqual(appended);
    });

    test.each([
      ['a number that is none', { milliseconds: Number.NaN }, 'milliseconds is NaN'],
      ['a number without end', { milliseconds: Number.POSITIVE_INFINITY }, 'milliseconds is Infinity'],
      ['a gap in a list', { list: [1, undefined] }, 'list.1 is undefined'],
      ['a hole in a list', { list: Array(1) }, 'list.0 is undefined'],
      ['a date', { milliseconds: new Date(0) }, 'milliseconds is a Date'],
      ['a map', { deep: { deeper: new Map() } }, 'deep.deeper is a Map'],
      ['a large integer', { milliseconds: 1n }, 'milliseconds is a bigint'],
      ['a function', { milliseconds: () => 1 }, 'milliseconds is a function'],
    ])('refuses what JSON would change, and keeps nothing of it: %s', (_, fields, reason) => {
      const log = make(makeStore).create(ID);
      // Of a type that the compiler would not let through.
      const fact = { ...turnEnd(1), ...fields } as ReturnType<typeof turnEnd>;
      expect(() => log.append([start(), fact])).toThrow(
        expect.objectContaining({ code: 'INVALID_EVENT', message: expect.stringContaining(reason) }),
      );
      expect([...log.read()]).toEqual([]);
      log.append([start(), { ...turnEnd(1), sessionId: undefined }]);
      expect(log.lastSeq).toBe(2);
    });

    test('keeps every text as it is', () => {
      const log = make(makeStore).create(ID);
      const texts = [
        '',
        '  indented\n\n',
        'NUL \0, tab \t, CR \r',
        '小明 🚀 \u2028 \ufffd',
        '"\\\'; DROP TABLE event',
      ];
      log.append(texts.map((text, index) => message(index + 1, text)));
      expect([...log.read()].map((event) => event.type === 'message-added' && event.message.content)).toEqual(
        texts,
      );
    });

    test('reads from a number on, and up to a number', () => {
      const log = make(makeStore).create(ID);
      log.append([start(), ...Array.from({ length: 1200 }, (_, index) => message(index + 1))]);
      expect(log.lastSeq).toBe(1201);
      expect(numbers(log.read())).toHaveLength(1201);
      expect(numbers(log.read(1199))).toEqual([1199, 1200, 1201]);
      expect(numbers(log.read(4, 6))).toEqual([4, 5, 6]);
      expect(numbers(log.read(0, 2))).toEqual([1, 2]);
      expect(numbers(log.read(1202))).toEqual([]);
    });

    test('knows which events were restored, also when it is opened again', () => {
      const store = make(makeStore);
      const log = store.create(ID);
      expect(log.restoredSeq).toBe(0);
      log.restore(numberFacts([start(), message(1)], 0, 7));
      expect(log.restoredSeq).toBe(2);
      log.close();
      const again = store.open(ID);
      again.append([message(2)]);
      expect({ restored: again.restoredSeq, last: again.lastSeq }).toEqual({ restored: 2, last: 3 });
    });

    test('keeps conversations apart', () => {
      const store = make(makeStore);
      const one = store.create(ID);
      const other = store.create(OTHER_ID);
      one.append([start()]);
      other.append([start(OTHER_ID), message(1)]);
      one.append([message(1, 'mine')]);
      expect([...one.read()]).toMatchObject([{ conversationId: ID }, { message: { content: 'mine' } }]);
      expect([...other.read()]).toMatchObject([{ conversationId: OTHER_ID }, { type: 'message-added' }]);
    });

    test('goes on where a conversation was left', () => {
      const store = make(makeStore);
      const first = store.create(ID);
      first.append([start()]);
      first.close();
      const second = store.open(ID);
      second.append([message(1)]);
      expect(second.takenOverFrom).toBeUndefined();
      expect(numbers(second.read())).toEqual([1, 2]);
    });

    test('lets one write and the others read', () => {
      const store = make(makeStore);
      const log = store.create(ID);
      log.append([start()]);
      expect(() => store.open(ID)).toThrow(
        expect.objectContaining({
          code: 'CONVERSATION_LOCKED',
          message: expect.stringContaining(`process ${process.pid}`),
          holder: expect.objectContaining({ pid: process.pid }),
        }),
      );
      expect(() => store.delete(ID)).toThrow(expect.objectContaining({ code: 'CONVERSATION_LOCKED' }));
      const reader = store.read(ID);
      log.append([message(1)]);
      expect(numbers(reader.read())).toEqual([1]);
      expect(numbers(store.read(ID).read())).toEqual([1, 2]);
    });

    test('lets nobody write whose conversation was taken over or closed', () => {
      const store = make(makeStore);
      const first = store.create(ID);
      first.append([start()]);
      const second = store.open(ID, { takeOver: true });
      expect(second.takenOverFrom).toMatchObject({ pid: process.pid });
      expect(() => first.append([message(1, 'late')])).toThrow(
        expect.objectContaining({ code: 'LEASE_LOST' }),
      );
      second.append([message(1, 'in time')]);
      first.close();
      expect(() => store.open(ID)).toThrow(expect.objectContaining({ code: 'CONVERSATION_LOCKED' }));
      second.close();
      expect(() => second.append([message(2)])).toThrow(expect.objectContaining({ code: 'LEASE_LOST' }));
      expect([...store.read(ID).read()]).toMatchObject([{ seq: 1 }, { message: { content: 'in time' } }]);
    });

    test('keeps all facts of an append or none', () => {
      const log = make(makeStore).create(ID);
      log.append([start()]);
      const attempt = () => log.restore(failAfter([{ ...message(1), v: 1, seq: 2, at: 1 }]));
      expect(attempt).toThrow('no more');
      expect(numbers(log.read())).toEqual([1]);
      expect(log.append([message(1)])[0]?.seq).toBe(2);
    });

    test('restores numbered events only where they belong', () => {
      const store = make(makeStore);
      const log = store.create(ID);
      const events = store.create(OTHER_ID).append([start(), message(1), message(2)]);
      log.restore(events.slice(0, 2));
      expect(() => log.restore(events.slice(0, 1))).toThrow(RangeError);
      log.restore(events.slice(2));
      expect([...log.read()]).toEqual(events);
    });

    test('lists the one that was opened last first, also when the clock was set back', () => {
      let now = 1_000_000;
      const store = makeStore(() => (now -= 1000));
      onTestFinished(() => store.close());
      for (const id of [ID, OTHER_ID]) {
        const log = store.create(id);
        log.append([start(id), message(1)]);
        log.close();
      }
      const ids = () => store.list().map(({ id }) => id);
      expect(ids()).toEqual([OTHER_ID, ID]);
      store.open(ID).close();
      expect(ids()).toEqual([ID, OTHER_ID]);
    });

    test('lists what is there, the one that was opened last first', () => {
      const store = make(makeStore);
      const old = store.create(ID);
      old.append([start(), message(1, 'Design\n  the login'), queued(1), turnStart(1)]);
      const recent = store.create(OTHER_ID);
      recent.append([start(OTHER_ID)]);
      old.close();
      expect(store.list()).toEqual([
        expect.objectContaining({ id: OTHER_ID, state: 'open', messages: 0, title: '' }),
        {
          id: ID,
          state: 'interrupted',
          title: 'Design the login',
          teamName: 'auth-squad',
          members: [
            { id: 'kailai', name: 'kailai' },
            { id: 'max', name: 'max' },
          ],
          isRehearsal: false,
          messages: 1,
          turns: 1,
          queued: 0,
          running: ['turn-1'],
          unfinished: [],
          pause: null,
          awaited: [],
          startedAt: 2,
          changedAt: 2,
        },
      ]);
    });

    test('says how a closed conversation stands', () => {
      const store = make(makeStore);
      const log = store.create(ID);
      const stateAfter = (...facts: Parameters<typeof log.append>[0]) => {
        const writer = store.list()[0]?.state === 'open' ? log : store.open(ID);
        writer.append(facts);
        writer.close();
        return store.list()[0]?.state;
      };
      const resume = { type: 'conversation-resume', pastLimit: false } as const;
      const kailai = ['kailai' as MemberId];
      expect(stateAfter(start())).toBe('empty');
      expect(stateAfter(message(1), queued(1))).toBe('interrupted');
      expect(stateAfter(turnStart(1))).toBe('interrupted');
      expect(stateAfter(turnEnd(1))).toBe('done');
      expect(stateAfter({ type: 'waiting-for-human', memberIds: kailai, named: false })).toBe('done');
      expect(stateAfter({ type: 'waiting-for-human', memberIds: kailai, named: true })).toBe('waiting');
      expect(store.list()[0]?.awaited).toEqual(['kailai']);
      expect(stateAfter({ type: 'conversation-pause', reason: { kind: 'asked' } })).toBe('paused');
      expect(stateAfter(resume, message(2))).toBe('done');
      expect(stateAfter({ type: 'conversation-pause', reason: { kind: 'cancelled' } })).toBe('stopped');
      expect(stateAfter(resume)).toBe('done');
    });

    test.each([
      ['failed', { kind: 'failed', failure: failureOf('AUTH'), draft: '' }],
      ['failed', { kind: 'timed-out', limit: 'idle', milliseconds: 1, draft: '' }],
      ['stopped', { kind: 'cancelled', draft: '' }],
      ['interrupted', { kind: 'interrupted', draft: '' }],
    ] satisfies [ConversationStanding, TurnResult][])(
      'says that a conversation %s until its turn is asked for again or a person speaks',
      (state, result) => {
        const store = make(makeStore);
        const log = store.create(ID);
        log.append([start(), message(1), queued(1), turnStart(1), { ...turnEnd(1), result }]);
        log.close();
        expect(store.list()).toMatchObject([
          { state, unfinished: [{ turnId: 'turn-1', kind: result.kind }] },
        ]);
        const again = store.open(ID);
        again.append([queued(2, { retryOf: 'turn-1' as TurnId }), turnStart(2), { ...turnEnd(2), result }]);
        again.append([queued(3, { retryOf: 'turn-2' as TurnId }), turnStart(3), turnEnd(3)]);
        again.close();
        expect(store.list()).toMatchObject([{ state: 'done', unfinished: [] }]);
      },
    );

    test('knows the folder a conversation is held in, of all that were said the last one', () => {
      const store = make(makeStore);
      store.create(ID, { folder: '/work/小明' }).close();
      store.create(OTHER_ID).close();
      const folders = () => Object.fromEntries(store.list().map(({ id, folder }) => [id, folder]));
      expect(folders()).toEqual({ [ID]: '/work/小明', [OTHER_ID]: undefined });
      const log = store.open(ID);
      log.append([start()]);
      log.close();
      expect(folders()).toEqual({ [ID]: '/work/小明', [OTHER_ID]: undefined });
      const moved = store.open(ID, { folder: '/elsewhere' });
      moved.append([message(1)]);
      moved.close();
      expect(folders()).toEqual({ [ID]: '/elsewhere', [OTHER_ID]: undefined });
      expect(JSON.stringify([...store.read(ID).read()])).not.toContain('/elsewhere');
    });

    test('deletes a conversation whole', () => {
      const store = make(makeStore);
      const log = store.create(ID);
      log.append([start(), message(1)]);
      log.saveCheckpoint({ seq: 2, value: {} });
      log.close();
      store.delete(ID);
      expect(store.list()).toEqual([]);
      expect(() => store.read(ID)).toThrow(expect.objectContaining({ code: 'UNKNOWN_CONVERSATION' }));
      const again = store.create(ID);
      expect(again.lastSeq).toBe(0);
      expect(again.readCheckpoint()).toBeNull();
    });

    test('refuses ids that are not there, or are there already', () => {
      const store = make(makeStore);
      const unknown = expect.objectContaining({ code: 'UNKNOWN_CONVERSATION', conversationId: 'nobody' });
      const id = 'nobody' as ConversationId;
      expect(() => store.open(id)).toThrow(unknown);
      expect(() => store.read(id)).toThrow(unknown);
      expect(() => store.delete(id)).toThrow(unknown);
      store.create(ID);
      expect(() => store.create(ID)).toThrow(expect.objectContaining({ code: 'CONVERSATION_EXISTS' }));
    });

    test('keeps the newest checkpoint', () => {
      const store = make(makeStore);
      const log = store.create(ID);
      expect(log.readCheckpoint()).toBeNull();
      log.append([start(), message(1)]);
      log.saveCheckpoint({ seq: 1, value: { queue: [] } });
      log.saveCheckpoint({ seq: 2, value: { queue: ['小明'] } });
      expect(store.read(ID).readCheckpoint()).toEqual({ seq: 2, value: { queue: ['小明'] } });
    });
  });
}

function make(makeStore: (clock: () => number) => Store): Store {
  let now = 0;
  const store = makeStore(() => ++now);
  onTestFinished(() => store.close());
  return store;
}

function numbers(events: Iterable<RecordedEvent>): number[] {
  return [...events].map(({ seq }) => seq);
}

function* failAfter(events: readonly unknown[]): Iterable<RecordedEvent> {
  yield* events as RecordedEvent[];
  throw new Error('no more');
}
