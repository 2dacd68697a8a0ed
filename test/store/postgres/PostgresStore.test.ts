import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConversationFact } from '../../../src/models/ConversationEvent.js';
import type { ConversationId } from '../../../src/models/ids.js';
import { numberFacts, renameConversation } from '../../../src/store/numberFacts.js';
import { openPostgresStore, type PostgresStore } from '../../../src/store/postgres/PostgresStore.js';
import type { ConversationLog, Store } from '../../../src/store/Store.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import { ID, listAll, message, OTHER_ID, start } from '../facts.js';
import { useFreshStore } from './freshStore.js';

describePostgres('a shared store', (server) => {
  useFreshStore(server, 'kailai', 'bob');

  const open = async (role: string, host?: string): Promise<PostgresStore> => {
    const store = await openPostgresStore({ url: server().url(role), host });
    onTestFinished(() => store.close());
    return store;
  };

  describe('that two roles use', () => {
    test('shows who holds a conversation, and frees it at the end of their process', async () => {
      const [kim, bob] = [await open('kailai', 'laptop'), await open('bob', 'tower')];
      const log = await kim.create(ID);
      await append(log, [start(ID, 'bob'), message(1)]);
      expect(await listAll(bob)).toMatchObject([
        { id: ID, state: 'open', holder: { role: 'kailai', host: 'laptop', pid: process.pid } },
      ]);
      await expect(bob.open(ID)).rejects.toThrow(
        expect.objectContaining({
          code: 'CONVERSATION_LOCKED',
          holder: expect.objectContaining({ role: 'kailai', host: 'laptop' }),
        }),
      );
      await expect(bob.open(ID, { takeOver: true })).rejects.toThrow(
        expect.objectContaining({ code: 'CONVERSATION_LOCKED' }),
      );
      await kim.close();
      const taken = await bob.open(ID);
      expect(taken.takenOverFrom).toBeUndefined();
      await append(taken, [message(2, 'Mine now', 'bob')]);
    });

    test('tells from whom a conversation was taken whose holder is gone', async () => {
      const [kim, bob] = [await open('kailai', 'laptop'), await open('bob')];
      const log = await kim.create(ID);
      await append(log, [start(ID, 'bob')]);
      await server().admin(
        "UPDATE huddle.process SET expires = now() - interval '1 second' WHERE role = 'kailai'",
      );
      const taken = await bob.open(ID);
      expect(taken.takenOverFrom).toMatchObject({ role: 'kailai', host: 'laptop', pid: process.pid });
      await expect(append(log, [message(1, 'late')])).rejects.toThrow(
        expect.objectContaining({ code: 'LEASE_LOST' }),
      );
      expect(await toArray((await bob.read(ID)).read())).toHaveLength(1);
    });

    test('replaces a living holder by its own role', async () => {
      const [laptop, tower] = [await open('kailai', 'laptop'), await open('kailai', 'tower')];
      await append(await laptop.create(ID), [start(ID, 'bob')]);
      await expect(tower.open(ID)).rejects.toThrow(expect.objectContaining({ code: 'CONVERSATION_LOCKED' }));
      const taken = await tower.open(ID, { takeOver: true });
      expect(taken.takenOverFrom).toMatchObject({ host: 'laptop' });
    });

    test('lets the creator delete, and the owner, and nobody else', async () => {
      const [kim, bob] = [await open('kailai'), await open('bob')];
      for (const id of [ID, OTHER_ID]) await (await kim.create(id)).close();
      await expect(bob.delete(ID)).rejects.toThrow(
        expect.objectContaining({
          code: 'NOT_YOURS',
          message: `Conversation ${ID} was created by kailai. Only kailai or the owner of the store can do this.`,
        }),
      );
      await kim.delete(ID);
      const owner = await openPostgresStore({ url: server().url() });
      onTestFinished(() => owner.close());
      await owner.delete(OTHER_ID);
      expect(await listAll(kim)).toEqual([]);
      for (const table of ['event', 'checkpoint', 'visit'])
        expect(await server().admin(`SELECT * FROM huddle.${table}`)).toEqual([]);
    });

    test('lets the creator of a copy that nobody continued name it, and nobody else', async () => {
      const [kim, bob] = [await open('kailai'), await open('bob')];
      const copy = await kim.create(ID);
      await copy.restore(numberFacts([start(ID, 'bob'), message(1)], 0, 7));
      await copy.close();
      await expect(renameConversation(bob, ID, 'Mine')).rejects.toThrow(
        expect.objectContaining({ code: 'NOT_YOURS' }),
      );
      await renameConversation(kim, ID, 'A copy');
      expect(await listAll(bob)).toMatchObject([{ title: 'A copy', state: 'done' }]);
    });

    test('uses a checkpoint only of its own role', async () => {
      const [kim, bob] = [await open('kailai'), await open('bob')];
      const log = await kim.create(ID);
      await append(log, [start(ID, 'bob')]);
      await log.saveCheckpoint({ seq: 1, value: { by: 'kailai' } });
      await log.close();
      const other = await bob.open(ID);
      expect(await other.readCheckpoint()).toBeNull();
      await other.saveCheckpoint({ seq: 1, value: { by: 'bob' } });
      expect(await (await kim.read(ID)).readCheckpoint()).toEqual({ seq: 1, value: { by: 'kailai' } });
      expect(await (await bob.read(ID)).readCheckpoint()).toEqual({ seq: 1, value: { by: 'bob' } });
    });

    test.each([
      ['no JSON', 'nonsense'],
      ['no object', '[]'],
      ['no event', '{"type":"nonsense","v":1,"seq":2,"at":1}'],
      ['an event without its fields', '{"type":"message-added","v":1,"seq":2,"at":1}'],
      ['another number', JSON.stringify({ ...start(ID, 'bob'), v: 1, seq: 3, at: 1 })],
      [
        'a prototype',
        JSON.stringify({ ...start(ID, 'bob'), v: 1, seq: 2, at: 1 }).replace('{', '{"__proto__":{},'),
      ],
      ['deep nesting', `{"type":"x","a":${'['.repeat(100)}${']'.repeat(100)}}`],
      ['progress', '{"type":"files-progress","v":1,"seq":2,"at":1,"files":1}'],
    ])('leaves out what another role wrote that is no event, and names the role: %s', async (_, body) => {
      const [kim, bob] = [await open('kailai'), await open('bob')];
      await append(await kim.create(ID), [start(ID, 'bob')]);
      await server().admin("INSERT INTO huddle.event VALUES (1, 2, $1, 'kailai')", [body]);
      await server().admin('UPDATE huddle.conversation SET last_seq = 2');
      expect((await toArray((await bob.read(ID)).read())).slice(1)).toEqual([
        {
          type: 'notice',
          code: 'left-out',
          recordedBy: 'kailai',
          because: 'unreadable',
          v: 1,
          seq: 2,
          at: expect.any(Number),
        },
      ]);
    });

    test('says that what its own role wrote is damaged', async () => {
      const kim = await open('kailai');
      await append(await kim.create(ID), [start(ID), message(1)]);
      await server().admin("UPDATE huddle.event SET body = 'nonsense' WHERE seq = 2");
      const reader = await kim.read(ID);
      await expect(toArray(reader.read())).rejects.toThrow(
        expect.objectContaining({ code: 'STORE_DAMAGED', intactEvents: 1 }),
      );
      expect(await toArray(reader.read(1, 1))).toHaveLength(1);
    });

    test('says that an event is of a later Huddle, or missing', async () => {
      const kim = await open('kailai');
      const log = await kim.create(ID);
      await append(log, [start(ID, 'bob'), message(1), message(2)]);
      await server().admin(`UPDATE huddle.event SET body = replace(body, '"v":1', '"v":2') WHERE seq = 3`);
      const newer = expect.objectContaining({ code: 'STORE_NEWER' });
      await expect(toArray((await kim.read(ID)).read())).rejects.toThrow(newer);
      await server().admin('DELETE FROM huddle.event WHERE seq = 2');
      await expect(toArray((await kim.read(ID)).read())).rejects.toThrow('event 2 is missing');
    });

    test.each([
      ['no JSON', 'nonsense'],
      ['nothing of it', '{}'],
      ['a hostile list', JSON.stringify({ title: 1, members: 'all' })],
    ])(
      'lists a conversation as damaged whose summary is none, and counts it again when it is opened: %s',
      async (_, tally) => {
        const [kim, bob] = [await open('kailai'), await open('bob')];
        const log = await kim.create(ID);
        await append(log, [start(ID, 'bob'), message(1, 'Fix the login')]);
        await log.close();
        await server().admin('UPDATE huddle.conversation SET tally = $1', [tally]);
        expect(await listAll(bob)).toMatchObject([{ id: ID, state: 'damaged' }]);
        const again = await bob.open(ID);
        await append(again, [message(2)]);
        await again.close();
        expect(await listAll(bob)).toMatchObject([{ id: ID, title: 'Fix the login', messages: 2 }]);
      },
    );

    test('shows nothing of a summary that would move the cursor', async () => {
      const kim = await open('kailai');
      const log = await kim.create(ID);
      await append(log, [start(ID, 'bob'), message(1, 'Fix')]);
      await server().admin(
        `UPDATE huddle.conversation SET tally = replace(tally, '"Fix"', '"\\u001b[2JFix\\nit"')`,
      );
      expect(await listAll(kim)).toMatchObject([{ title: '␛[2JFix it' }]);
    });

    test('notes who wrote each event, whatever the event says', async () => {
      const [kim, bob] = [await open('kailai'), await open('bob')];
      const log = await kim.create(ID);
      await append(log, [start(ID, 'bob')]);
      await log.close();
      await append(await bob.open(ID), [message(1)]);
      const rows = await server().admin('SELECT seq, written_by FROM huddle.event ORDER BY seq');
      expect(rows).toEqual([
        { seq: 1, written_by: 'kailai' },
        { seq: 2, written_by: 'bob' },
      ]);
    });
  });

  describe('that many folders use', () => {
    test('lists what this role opened from this host and folder, the latest first', async () => {
      const [laptop, tower] = [await open('kailai', 'laptop'), await open('kailai', 'tower')];
      const bob = await open('bob', 'laptop');
      await make(laptop, 'a', '/work');
      await make(laptop, 'b', '/work');
      await make(tower, 'c', '/work');
      await make(bob, 'd', '/work');
      await make(laptop, 'e', '/other');
      expect(await idsOf(laptop, ['/work'])).toEqual(['b', 'a']);
      expect(await idsOf(tower, ['/work'])).toEqual(['c']);
      expect(await idsOf(bob, ['/work'])).toEqual(['d']);
      expect(await idsOf(laptop, ['/work', '/other'])).toEqual(['e', 'b', 'a']);
      expect(await idsOf(laptop)).toEqual(['e', 'd', 'c', 'b', 'a']);
      await (await bob.open('a' as ConversationId, { folder: '/work' })).close();
      expect(await idsOf(bob, ['/work'])).toEqual(['a', 'd']);
      expect(await idsOf(laptop, ['/work'])).toEqual(['b', 'a']);
      await laptop.visit('d' as ConversationId, '/work');
      expect(await idsOf(laptop, ['/work'])).toEqual(['d', 'b', 'a']);
      const page = await laptop.list({ folders: ['/work'], limit: 2 });
      expect(page.summaries.map(({ id }) => id)).toEqual(['d', 'b']);
      expect((await laptop.list({ folders: ['/work'], limit: 2, from: page.next })).summaries).toMatchObject([
        { id: 'a', folder: '/work' },
      ]);
    });

    test('lists one that was opened from several folders once', async () => {
      const kim = await open('kailai');
      await make(kim, 'a', '/one');
      await make(kim, 'b', '/two');
      await (await kim.open('a' as ConversationId, { folder: '/two' })).close();
      expect(await idsOf(kim, ['/one', '/two'])).toEqual(['a', 'b']);
      expect(await idsOf(kim, ['/one'])).toEqual(['a']);
    });

    test('never learns how a folder is called', async () => {
      const kim = await open('kailai');
      await make(kim, 'a', '/home/kim/secret-project');
      await kim.list({ folders: ['/home/kim/secret-project'], limit: 1 });
      const tables = await server().admin<{ name: string }>(
        "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'huddle'::regnamespace AND relkind IN ('r', 'p')",
      );
      for (const { name } of tables)
        expect(JSON.stringify(await server().admin(`SELECT * FROM ${name}`))).not.toContain('secret-project');
    });
  });

  describe('that is full of processes', () => {
    test('is looked at every second in place of being listened to', async () => {
      const kim = await open('kailai');
      await server().admin(
        `INSERT INTO huddle.process (role, host, pid, version, expires)
         SELECT 'bob', 'host', n, 'v', now() + interval '1 hour' FROM generate_series(1, 41) AS n`,
      );
      const heard: (string | undefined)[] = [];
      kim.listener.listen('huddle_x', (payload) => heard.push(payload));
      await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
      expect(new Set(heard)).toEqual(new Set([undefined]));
      const listening = await server().admin(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%LISTEN%' AND pid <> pg_backend_pid()",
      );
      expect(listening).toEqual([]);
    });

    test('forgets a process a week after it was seen last, unless it is in the row of a conversation', async () => {
      const [kim, bob] = [await open('kailai'), await open('bob')];
      await kim.create(ID);
      await bob.presence.arrive();
      await server().admin("UPDATE huddle.process SET expires = now() - interval '8 days'");
      const other = await open('kailai');
      await other.presence.arrive();
      const rows = await server().admin('SELECT role FROM huddle.process ORDER BY expires');
      expect(rows).toEqual([{ role: 'kailai' }, { role: 'kailai' }]);
    });

    test('grants no lease longer than 15 seconds, whatever is asked for', async () => {
      const kim = await openPostgresStore({
        url: server().url('kailai'),
        leaseTimes: { lease: 1e9, renewEvery: 4000, stopAfter: 11_000 },
      });
      onTestFinished(() => kim.close());
      await kim.presence.arrive();
      const rows = await server().admin(
        "SELECT expires <= now() + interval '15 seconds' AS is_short FROM huddle.process",
      );
      expect(rows).toEqual([{ is_short: true }]);
    });

    test('knows what each offers', async () => {
      const kim = await open('kailai');
      await kim.presence.offer({ members: ['sarah'], teams: [] });
      const read = async () => (await server().admin('SELECT offers FROM huddle.process'))[0]?.offers;
      expect(JSON.parse(String(await read()))).toEqual({ members: ['sarah'], teams: [] });
      await kim.presence.offer(null);
      expect(await read()).toBeNull();
    });
  });

  test('opens again what it holds without knowing, because an answer got lost', async () => {
    const kim = await open('kailai');
    await (await kim.create(ID)).close();
    const process = await kim.presence.arrive();
    await kim.database.query('SELECT huddle.hold_conversation($1, $2, false, false, NULL)', [ID, process]);
    const log = await kim.open(ID);
    await append(log, [start(ID, 'bob')]);
    await expect(kim.open(ID)).rejects.toThrow(expect.objectContaining({ code: 'CONVERSATION_LOCKED' }));
  });

  test('reads events of megabytes, each whole, without holding many at once', async () => {
    const kim = await open('kailai');
    const log = await kim.create(ID);
    const texts = Array.from({ length: 6 }, (_, index) => String(index).repeat(4 * 1024 ** 2 - 400));
    for (const [index, text] of texts.entries()) log.append([message(index + 1, text)]);
    await log.kept();
    const seen: number[] = [];
    for await (const event of (await kim.read(ID)).read())
      seen.push(event.type === 'message-added' ? event.message.content.length : 0);
    expect(seen).toEqual(texts.map(({ length }) => length));
  });

  test('rejects an event that is too long, and keeps what was kept before', async () => {
    const kim = await open('kailai');
    const log = await kim.create(ID);
    await append(log, [start(ID, 'bob')]);
    const tooLong = expect.objectContaining({ code: 'INVALID_EVENT' });
    expect(() => log.append([message(1, 'x'.repeat(64 * 1024 ** 2))])).toThrow(tooLong);
    expect(() => log.append([message(1, '\0'.repeat(11 * 1024 ** 2))])).toThrow(tooLong);
    await append(log, [message(1)]);
    expect(await toArray((await kim.read(ID)).read())).toHaveLength(2);
  });
});

describe('a server without TLS', () => {
  test('hears nothing but the question for it', async () => {
    const heard: Buffer[] = [];
    const server = createServer((socket) =>
      socket
        .on('data', (data) => {
          heard.push(data);
          socket.write('N');
        })
        .on('error', () => undefined),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const opening = openPostgresStore({ url: `postgres://kim@127.0.0.1:${port}/huddle?sslmode=verify-full` });
    await expect(opening).rejects.toThrow(
      expect.objectContaining({
        code: 'STORE_OUT_OF_REACH',
        message: expect.stringContaining('it offers no TLS'),
      }),
    );
    expect(Buffer.concat(heard).toString('hex')).toBe('0000000804d2162f');
  });
});

describe('a server that wants a password', () => {
  test('is one that refuses, if there is none, and the error says where to put it', async () => {
    const server = createServer((socket) => {
      const ask = (code: number, text: string) => {
        const message = Buffer.alloc(9 + Buffer.byteLength(text));
        message.write('R');
        message.writeInt32BE(message.length - 1, 1);
        message.writeInt32BE(code, 5);
        message.write(text, 9);
        socket.write(message);
      };
      // First the name of the method, then its first question, which has what the client said.
      socket.once('data', () => {
        ask(10, 'SCRAM-SHA-256\0\0');
        socket.once('data', (data) =>
          ask(11, `r=${/r=([^,]+)/.exec(data.toString())?.[1]}x,s=c2FsdA==,i=4096`),
        );
      });
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const opening = openPostgresStore({ url: `postgres://kim@127.0.0.1:${port}/huddle` });
    await expect(opening).rejects.toThrow(
      expect.objectContaining({ code: 'STORE_REFUSED', message: expect.stringContaining('~/.pgpass') }),
    );
  });
});

async function make(store: Store, id: string, folder: string): Promise<void> {
  const log = await store.create(id as ConversationId, { folder });
  await append(log, [start(id as ConversationId, 'bob')]);
  await log.close();
}

async function idsOf(store: Store, folders?: readonly string[]): Promise<string[]> {
  return (await store.list({ limit: 10, folders })).summaries.map(({ id }) => id);
}

async function append(log: ConversationLog, facts: readonly ConversationFact[]): Promise<void> {
  log.append(facts);
  await log.kept();
}
