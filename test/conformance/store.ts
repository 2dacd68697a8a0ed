import { describe, expect, onTestFinished, test } from 'vitest';
import { NOTHING_SPENT } from '../../src/conversation/usage.js';
import type { ConversationFact, RecordedEvent, TurnResult } from '../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId, TurnId } from '../../src/models/ids.js';
import { importConversation } from '../../src/store/importConversation.js';
import { numberFacts, renameConversation } from '../../src/store/numberFacts.js';
import type {
  ConversationContents,
  ConversationLog,
  ConversationQuery,
  Store,
} from '../../src/store/Store.js';
import type { SessionState } from '../../src/store/summary.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { failureOf } from '../failureOf.js';
import { ID, listAll, message, OTHER_ID, queued, start, turnEnd, turnStart } from '../store/facts.js';

/** Makes an empty store with this clock. */
export type MakeStore = (clock: () => number) => Store | Promise<Store>;

/** What every store owes. `makeStore` is called once a test. */
export function testStore(name: string, makeStore: MakeStore): void {
  describe(name, () => {
    test('gives back what was appended, numbered from 1 and dated by its clock', async () => {
      const store = await make(makeStore);
      const log = await store.create(ID);
      const appended = [...(await append(log, [start(), message(1)])), ...(await append(log, [message(2)]))];
      // An opening may ask for the time as well; every append asks once.
      const first = appended[0]?.at ?? Number.NaN;
      expect([1, 2]).toContain(first);
      expect(appended.map(({ v, seq, at }) => ({ v, seq, at }))).toEqual([
        { v: 1, seq: 1, at: first },
        { v: 1, seq: 2, at: first },
        { v: 1, seq: 3, at: first + 1 },
      ]);
      expect(await toArray(log.read())).toEqual(appended);
      expect(await toArray((await store.read(ID)).read())).toEqual(appended);
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
    ])('refuses what JSON would change, and keeps nothing of it: %s', async (_, fields, reason) => {
      const log = await (await make(makeStore)).create(ID);
      // Of a type that the compiler would not let through.
      const fact = { ...turnEnd(1), ...fields } as ReturnType<typeof turnEnd>;
      await expect(append(log, [start(), fact])).rejects.toThrow(
        expect.objectContaining({ code: 'INVALID_EVENT', message: expect.stringContaining(reason) }),
      );
      expect(await toArray(log.read())).toEqual([]);
      await append(log, [start(), { ...turnEnd(1), sessionId: undefined }]);
      expect(log.lastSeq).toBe(2);
    });

    test('keeps every text as it is', async () => {
      const log = await (await make(makeStore)).create(ID);
      const texts = [
        '',
        '  indented\n\n',
        'NUL \0, tab \t, CR \r',
        '小明 🚀 \u2028 \ufffd',
        '"\\\'; DROP TABLE event',
        'half a character \ud83d and the other \ude80, in the wrong order: \ude80\ud83d',
        '{a,"b",\\NULL,NULL} \\u0000 $1',
        'four megabytes '.repeat((4 * 1024 ** 2) / 15),
      ];
      await append(
        log,
        texts.map((text, index) => message(index + 1, text)),
      );
      expect(
        (await toArray(log.read())).map((event) => event.type === 'message-added' && event.message.content),
      ).toEqual(texts);
    });

    test('reads from a number on, and up to a number', async () => {
      const log = await (await make(makeStore)).create(ID);
      await append(log, [start(), ...Array.from({ length: 1200 }, (_, index) => message(index + 1))]);
      expect(log.lastSeq).toBe(1201);
      expect(await numbers(log.read())).toHaveLength(1201);
      expect(await numbers(log.read(1199))).toEqual([1199, 1200, 1201]);
      expect(await numbers(log.read(4, 6))).toEqual([4, 5, 6]);
      expect(await numbers(log.read(0, 2))).toEqual([1, 2]);
      expect(await numbers(log.read(1202))).toEqual([]);
    });

    test('knows which events were restored, also when it is opened again', async () => {
      const store = await make(makeStore);
      const log = await store.create(ID);
      expect(log.restoredSeq).toBe(0);
      await log.restore(numberFacts([start(), message(1)], 0, 7));
      expect(log.restoredSeq).toBe(2);
      await log.close();
      const again = await store.open(ID);
      await append(again, [message(2)]);
      expect({ restored: again.restoredSeq, last: again.lastSeq }).toEqual({ restored: 2, last: 3 });
    });

    test('keeps an imported log byte for byte, with fields it does not know', async () => {
      const facts = [
        start(),
        message(1, 'NUL \0 🚀 \ud83d'),
        { ...message(2), later: { of: ['a', null, 1e21] } },
      ];
      const lines = numberFacts(facts, 0, 7).map((event) => `${JSON.stringify(event)}\n`);
      const store = await make(makeStore);
      expect(await importConversation(store, [Buffer.from(lines.join(''))])).toBe(ID);
      const kept = await toArray((await store.read(ID)).read());
      expect(kept.map((event) => `${JSON.stringify(event)}\n`)).toEqual(lines);
      const again = lines.concat(lines[1] ?? '');
      const refused = importConversation(store, [Buffer.from(again.join(''))], { as: OTHER_ID });
      await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'INVALID_IMPORT' }));
      expect(await store.find(OTHER_ID)).toEqual([]);
    });

    test('restores a long log whole', async () => {
      const store = await make(makeStore);
      const facts = Array.from({ length: 2500 }, (_, index) => message(index + 1, `${index} `.repeat(100)));
      const log = await store.create(ID);
      await log.restore(numberFacts([start(), ...facts], 0, 7));
      expect([log.lastSeq, log.restoredSeq]).toEqual([2501, 2501]);
      expect(await numbers((await store.read(ID)).read())).toEqual(
        Array.from({ length: 2501 }, (_, index) => index + 1),
      );
    });

    test('keeps conversations apart', async () => {
      const store = await make(makeStore);
      const one = await store.create(ID);
      const other = await store.create(OTHER_ID);
      await append(one, [start()]);
      await append(other, [start(OTHER_ID), message(1)]);
      await append(one, [message(1, 'mine')]);
      expect(await toArray(one.read())).toMatchObject([
        { conversationId: ID },
        { message: { content: 'mine' } },
      ]);
      expect(await toArray(other.read())).toMatchObject([
        { conversationId: OTHER_ID },
        { type: 'message-added' },
      ]);
    });

    test('goes on where a conversation was left', async () => {
      const store = await make(makeStore);
      const first = await store.create(ID);
      await append(first, [start()]);
      await first.close();
      const second = await store.open(ID);
      await append(second, [message(1)]);
      expect(second.takenOverFrom).toBeUndefined();
      expect(await numbers(second.read())).toEqual([1, 2]);
    });

    test('lets one write and the others read', async () => {
      const store = await make(makeStore);
      const log = await store.create(ID);
      await append(log, [start()]);
      await expect(store.open(ID)).rejects.toThrow(
        expect.objectContaining({
          code: 'CONVERSATION_LOCKED',
          message: expect.stringContaining(`process ${process.pid}`),
          holder: expect.objectContaining({ pid: process.pid }),
        }),
      );
      await expect(store.delete(ID)).rejects.toThrow(
        expect.objectContaining({ code: 'CONVERSATION_LOCKED' }),
      );
      const reader = await store.read(ID);
      await append(log, [message(1)]);
      expect(await numbers(reader.read())).toEqual([1]);
      expect(await numbers((await store.read(ID)).read())).toEqual([1, 2]);
    });

    test('lets nobody write whose conversation was taken over or closed', async () => {
      const store = await make(makeStore);
      const first = await store.create(ID);
      await append(first, [start()]);
      const second = await store.open(ID, { takeOver: true });
      expect(second.takenOverFrom).toMatchObject({ pid: process.pid });
      await expect(append(first, [message(1, 'late')])).rejects.toThrow(
        expect.objectContaining({ code: 'LEASE_LOST' }),
      );
      await append(second, [message(1, 'in time')]);
      await first.close();
      await expect(store.open(ID)).rejects.toThrow(expect.objectContaining({ code: 'CONVERSATION_LOCKED' }));
      await second.close();
      await expect(append(second, [message(2)])).rejects.toThrow(
        expect.objectContaining({ code: 'LEASE_LOST' }),
      );
      expect(await toArray((await store.read(ID)).read())).toMatchObject([
        { seq: 1 },
        { message: { content: 'in time' } },
      ]);
    });

    test('keeps all facts of an append or none', async () => {
      const log = await (await make(makeStore)).create(ID);
      await append(log, [start()]);
      const attempt = log.restore(failAfter([{ ...message(1), v: 1, seq: 2, at: 1 }]));
      await expect(attempt).rejects.toThrow('no more');
      expect(await numbers(log.read())).toEqual([1]);
      expect((await append(log, [message(1)]))[0]?.seq).toBe(2);
    });

    test('restores numbered events only where they belong', async () => {
      const store = await make(makeStore);
      const log = await store.create(ID);
      const events = await append(await store.create(OTHER_ID), [start(), message(1), message(2)]);
      await log.restore(events.slice(0, 2));
      await expect(log.restore(events.slice(0, 1))).rejects.toThrow(RangeError);
      await log.restore(events.slice(2));
      expect(await toArray(log.read())).toEqual(events);
    });

    test('saves a whole conversation: what was restored, what follows from it, and its checkpoint', async () => {
      const store = await make(makeStore);
      const restored = numberFacts([start(), message(1)], 0, 7);
      const checkpoint = () => ({ seq: 3, value: { some: 'state' } });
      await store.createWhole(ID, { restored, added: [message(2, 'new', 'max')], checkpoint });
      const [summary] = await listAll(store);
      expect(summary).toMatchObject({ id: ID, state: 'done', messages: 2, startedAt: 7 });
      const log = await store.open(ID);
      expect([log.restoredSeq, log.lastSeq, log.takenOverFrom]).toEqual([2, 3, undefined]);
      expect((await toArray(log.read())).slice(0, 2)).toEqual(restored);
      expect(await log.readCheckpoint()).toEqual(checkpoint());
      await append(log, [message(3)]);
    });

    test('saves a whole conversation or nothing of it', async () => {
      const store = await make(makeStore);
      const events = numberFacts([start(), ...Array.from({ length: 1200 }, (_, at) => message(at))], 0, 7);
      const attempts: readonly ConversationContents[] = [
        { restored: failAfter(events) },
        { restored: [...events, ...events] },
        { restored: events, added: [{ ...turnEnd(1), milliseconds: Number.NaN }] },
        {
          restored: events,
          checkpoint: () => {
            throw new Error('no more');
          },
        },
      ];
      for (const contents of attempts) {
        await expect(store.createWhole(ID, contents)).rejects.toThrow();
        expect(await store.find(ID)).toEqual([]);
      }
      await store.createWhole(ID, { restored: events });
      expect(await numbers((await store.read(ID)).read())).toHaveLength(1201);
    });

    test('a whole conversation takes the place of one in which nothing ever happened, and of no other', async () => {
      const store = await make(makeStore);
      const contents = { restored: numberFacts([start(), message(1)], 0, 7) };
      const exists = expect.objectContaining({ code: 'CONVERSATION_EXISTS' });
      const left = await store.create(ID);
      await expect(store.createWhole(ID, contents)).rejects.toThrow(exists);
      await left.close();
      await store.createWhole(ID, contents);
      expect(await numbers((await store.read(ID)).read())).toEqual([1, 2]);
      expect(await listAll(store)).toHaveLength(1);
      await expect(store.createWhole(ID, contents)).rejects.toThrow(exists);
      await expect(store.createWhole(ID, { restored: [] })).rejects.toThrow(exists);
    });

    test('lists the one that was opened last first, also when the clock was set back', async () => {
      let now = 1_000_000;
      const store = await makeStore(() => (now -= 1000));
      onTestFinished(() => store.close());
      for (const id of [ID, OTHER_ID]) {
        const log = await store.create(id);
        await append(log, [start(id), message(1)]);
        await log.close();
      }
      const ids = async () => (await listAll(store)).map(({ id }) => id);
      expect(await ids()).toEqual([OTHER_ID, ID]);
      await (await store.open(ID)).close();
      expect(await ids()).toEqual([ID, OTHER_ID]);
    });

    test('counts facts for their writer at once, and says when they are durable', async () => {
      const store = await make(makeStore);
      const log = await store.create(ID);
      const [, first] = [log.append([start()]), log.kept()];
      const [, second] = [log.append([message(1)]), log.kept()];
      expect(log.lastSeq).toBe(2);
      await first;
      expect((await numbers((await store.read(ID)).read())).at(0)).toBe(1);
      await second;
      expect(await numbers((await store.read(ID)).read())).toEqual([1, 2]);
      expect(log.kept()).toBeUndefined();
    });

    test('lists page by page, also while conversations are opened', async () => {
      const store = await make(makeStore);
      const ids = ['a', 'b', 'c', 'd', 'e'] as ConversationId[];
      for (const id of ids) await (await store.create(id)).close();
      const one = await store.list({ limit: 2 });
      expect(one.summaries.map(({ id }) => id)).toEqual(['e', 'd']);
      await (await store.open('b' as ConversationId)).close();
      const two = await store.list({ limit: 2, from: one.next });
      expect(two.summaries.map(({ id }) => id)).toEqual(['c', 'a']);
      expect(two.next).toBeUndefined();
      expect((await store.list({ limit: 5 })).next).toBeUndefined();
    });

    test('lists those of some folders, those of none, and those whose title has a text', async () => {
      const store = await make(makeStore);
      const talks = {
        a: ['/a', 'Fix the Login'],
        b: ['/b', 'Login again'],
        c: [undefined, 'Ship it'],
      } as const;
      for (const [id, [folder, text]] of Object.entries(talks)) {
        const log = await store.create(id as ConversationId, folder === undefined ? {} : { folder });
        await append(log, [start(), message(1, text)]);
        await log.close();
      }
      const found = async (query: Partial<ConversationQuery>) =>
        (await store.list({ limit: 10, ...query })).summaries.map(({ id }) => id);
      expect(await found({ folders: ['/a'] })).toEqual(['c', 'a']);
      expect(await found({ folders: ['/a', '/b'] })).toEqual(['c', 'b', 'a']);
      expect(await found({ text: 'login' })).toEqual(['b', 'a']);
      expect(await found({ text: 'login', folders: ['/b'] })).toEqual(['b']);
      const page = await store.list({ text: 'login', limit: 1 });
      expect(await found({ text: 'login', from: page.next })).toEqual(['a']);
    });

    test('ends a page when so many were looked at, be it that none was found', async () => {
      const store = await make(makeStore);
      for (const id of ['a', 'b', 'c', 'd']) {
        const log = await store.create(id as ConversationId);
        await append(log, [start(), message(1, id === 'a' ? 'Login' : 'Ship it')]);
        await log.close();
      }
      const pages: string[][] = [];
      for (let from: number | undefined; ; ) {
        const page = await store.list({ text: 'login', limit: 10, lookedAt: 2, from });
        pages.push(page.summaries.map(({ id }) => id));
        from = page.next;
        if (from === undefined) break;
      }
      expect(pages).toEqual([[], ['a']]);
    });

    test('lists those with a text in any message, in whatever letters it is written', async () => {
      const store = await make(makeStore);
      const talks = {
        a: ['Go.', 'The LOGIN is "broken\\".', 'Straße'],
        b: ['Go.', '登录页面 is ｂｒｏｋｅｎ', 'e\u0301te\u0301'],
      };
      for (const [id, texts] of Object.entries(talks)) {
        const log = await store.create(id as ConversationId);
        await append(log, [start(), queued(1), turnStart(1)]);
        await append(
          log,
          texts.map((text, index) => message(index + 1, text)),
        );
        await log.close();
      }
      const found = async (text: string) =>
        (await store.list({ limit: 10, text })).summaries.map(({ id }) => id);
      expect(await found('login')).toEqual(['a']);
      expect(await found('BROKEN')).toEqual(['b', 'a']);
      expect(await found('"broken\\"')).toEqual(['a']);
      expect(await found('登录')).toEqual(['b']);
      expect(await found('été')).toEqual(['b']);
      for (const notSaid of ['speaker', 'turn-start', '"type"', 'content', 'nowhere'])
        expect(await found(notSaid)).toEqual([]);
    });

    test('a name takes the place of the first message in lists until it is taken back', async () => {
      const store = await make(makeStore);
      for (const id of [ID, OTHER_ID]) {
        const log = await store.create(id);
        await append(log, [start(id), message(1, 'Fix the login')]);
        await log.close();
      }
      await renameConversation(store, ID, '  Sign-in\n for the wiki ');
      const titles = async () => (await listAll(store)).map(({ id, title }) => [id, title]);
      expect(await titles()).toEqual([
        [OTHER_ID, 'Fix the login'],
        [ID, 'Sign-in for the wiki'],
      ]);
      expect((await store.list({ limit: 5, text: 'WIKI' })).summaries).toHaveLength(1);
      await renameConversation(store, ID, ' ');
      expect((await titles())[1]).toEqual([ID, 'Fix the login']);
      const log = await store.open(ID);
      await expect(renameConversation(store, ID, 'Late')).rejects.toThrow(
        expect.objectContaining({ code: 'CONVERSATION_LOCKED' }),
      );
      await log.close();
      await expect(renameConversation(store, ID, 'x'.repeat(121))).rejects.toThrow(
        expect.objectContaining({ code: 'TITLE_TOO_LONG' }),
      );
    });

    test('a copy that was never continued stays one when it is named', async () => {
      const store = await make(makeStore);
      const copy = await store.create(ID);
      await copy.restore(numberFacts([start(), message(1)], 0, 7));
      await copy.close();
      await renameConversation(store, ID, 'A copy');
      const log = await store.open(ID);
      expect([log.restoredSeq, log.lastSeq]).toEqual([3, 3]);
      await log.close();
    });

    test('finds a conversation by its id, else all by a beginning or the last part of it', async () => {
      const store = await make(makeStore);
      for (const id of [ID, OTHER_ID, '2026'] as ConversationId[]) await (await store.create(id)).close();
      const found = async (word: string) => (await store.find(word)).map(({ id }) => id);
      expect(await found('2026')).toEqual(['2026']);
      expect(await found('202611')).toEqual([OTHER_ID, ID]);
      expect(await found('9f3c')).toEqual([ID]);
      expect(await found('f3c')).toEqual([]);
      expect(await found('')).toEqual([]);
    });

    test('lists what is there, the one that was opened last first', async () => {
      const store = await make(makeStore);
      const old = await store.create(ID);
      const facts = [start(), message(1, 'Design\n  the login'), queued(1), turnStart(1)];
      const [{ at } = { at: Number.NaN }] = await append(old, facts);
      const recent = await store.create(OTHER_ID);
      await append(recent, [start(OTHER_ID)]);
      await old.close();
      expect(await listAll(store)).toEqual([
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
          usage: NOTHING_SPENT,
          queued: 0,
          running: ['turn-1'],
          unfinished: [],
          pause: null,
          awaited: [],
          startedAt: at,
          changedAt: at,
        },
      ]);
    });

    test('says how a closed conversation stands', async () => {
      const store = await make(makeStore);
      const log = await store.create(ID);
      const stateAfter = async (...facts: Parameters<typeof log.append>[0]) => {
        const writer = (await listAll(store))[0]?.state === 'open' ? log : await store.open(ID);
        await append(writer, facts);
        await writer.close();
        return (await listAll(store))[0]?.state;
      };
      const resume = { type: 'conversation-resume', pastLimit: false } as const;
      const kailai = ['kailai' as MemberId];
      expect(await stateAfter(start())).toBe('empty');
      expect(await stateAfter(message(1), queued(1))).toBe('interrupted');
      expect(await stateAfter(turnStart(1))).toBe('interrupted');
      expect(await stateAfter(turnEnd(1))).toBe('done');
      expect(await stateAfter({ type: 'waiting-for-human', memberIds: kailai, named: false })).toBe('done');
      expect(await stateAfter({ type: 'waiting-for-human', memberIds: kailai, named: true })).toBe('waiting');
      expect((await listAll(store))[0]?.awaited).toEqual(['kailai']);
      expect(await stateAfter({ type: 'conversation-pause', reason: { kind: 'asked' } })).toBe('paused');
      expect(await stateAfter(resume, message(2))).toBe('done');
      expect(await stateAfter({ type: 'conversation-pause', reason: { kind: 'cancelled' } })).toBe('stopped');
      expect(await stateAfter(resume)).toBe('done');
    });

    test.each([
      ['failed', { kind: 'failed', failure: failureOf('AUTH'), draft: '' }],
      ['failed', { kind: 'timed-out', limit: 'idle', milliseconds: 1, draft: '' }],
      ['stopped', { kind: 'cancelled', draft: '' }],
      ['interrupted', { kind: 'interrupted', draft: '' }],
    ] satisfies [SessionState, TurnResult][])(
      'says that a conversation %s until its turn is asked for again or a person speaks',
      async (state, result) => {
        const store = await make(makeStore);
        const log = await store.create(ID);
        await append(log, [start(), message(1), queued(1), turnStart(1), { ...turnEnd(1), result }]);
        await log.close();
        expect(await listAll(store)).toMatchObject([
          { state, unfinished: [{ turnId: 'turn-1', kind: result.kind }] },
        ]);
        const again = await store.open(ID);
        await append(again, [
          queued(2, { retryOf: 'turn-1' as TurnId }),
          turnStart(2),
          { ...turnEnd(2), result },
        ]);
        await append(again, [queued(3, { retryOf: 'turn-2' as TurnId }), turnStart(3), turnEnd(3)]);
        await again.close();
        expect(await listAll(store)).toMatchObject([{ state: 'done', unfinished: [] }]);
      },
    );

    test('knows the folder a conversation is held in, of all that were said the last one', async () => {
      const store = await make(makeStore);
      await (await store.create(ID, { folder: '/work/小明' })).close();
      await (await store.create(OTHER_ID)).close();
      const folders = async () =>
        Object.fromEntries((await listAll(store)).map(({ id, folder }) => [id, folder]));
      expect(await folders()).toEqual({ [ID]: '/work/小明', [OTHER_ID]: undefined });
      const log = await store.open(ID);
      await append(log, [start()]);
      await log.close();
      expect(await folders()).toEqual({ [ID]: '/work/小明', [OTHER_ID]: undefined });
      const moved = await store.open(ID, { folder: '/elsewhere' });
      await append(moved, [message(1)]);
      await moved.close();
      expect(await folders()).toEqual({ [ID]: '/elsewhere', [OTHER_ID]: undefined });
      expect(JSON.stringify(await toArray((await store.read(ID)).read()))).not.toContain('/elsewhere');
    });

    test('deletes a conversation whole', async () => {
      const store = await make(makeStore);
      const log = await store.create(ID);
      await append(log, [start(), message(1)]);
      await log.saveCheckpoint({ seq: 2, value: {} });
      await log.close();
      await store.delete(ID);
      expect(await listAll(store)).toEqual([]);
      await expect(store.read(ID)).rejects.toThrow(expect.objectContaining({ code: 'UNKNOWN_CONVERSATION' }));
      const again = await store.create(ID);
      expect(again.lastSeq).toBe(0);
      expect(await again.readCheckpoint()).toBeNull();
    });

    test('refuses ids that are not there, or are there already', async () => {
      const store = await make(makeStore);
      const unknown = expect.objectContaining({ code: 'UNKNOWN_CONVERSATION', conversationId: 'nobody' });
      const id = 'nobody' as ConversationId;
      await expect(store.open(id)).rejects.toThrow(unknown);
      await expect(store.read(id)).rejects.toThrow(unknown);
      await expect(store.delete(id)).rejects.toThrow(unknown);
      await store.create(ID);
      await expect(store.create(ID)).rejects.toThrow(
        expect.objectContaining({ code: 'CONVERSATION_EXISTS' }),
      );
    });

    test('keeps the newest checkpoint', async () => {
      const store = await make(makeStore);
      const log = await store.create(ID);
      expect(await log.readCheckpoint()).toBeNull();
      await append(log, [start(), message(1)]);
      await log.saveCheckpoint({ seq: 1, value: { queue: [] } });
      await log.saveCheckpoint({ seq: 2, value: { queue: ['小明'] } });
      expect(await (await store.read(ID)).readCheckpoint()).toEqual({ seq: 2, value: { queue: ['小明'] } });
    });
  });
}

async function make(makeStore: MakeStore): Promise<Store> {
  let now = 0;
  const store = await makeStore(() => ++now);
  onTestFinished(() => store.close());
  return store;
}

/** Appends, and waits until it is durable. */
async function append(log: ConversationLog, facts: readonly ConversationFact[]): Promise<RecordedEvent[]> {
  const events = log.append(facts);
  await log.kept();
  return events;
}

async function numbers(events: AsyncIterable<RecordedEvent>): Promise<number[]> {
  return (await toArray(events)).map(({ seq }) => seq);
}

function* failAfter(events: readonly unknown[]): Iterable<RecordedEvent> {
  yield* events as RecordedEvent[];
  throw new Error('no more');
}
