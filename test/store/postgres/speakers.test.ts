import { beforeEach, expect, test } from 'vitest';
import type { ConversationFact, RecordedEvent } from '../../../src/models/ConversationEvent.js';
import type { MemberId, MessageId } from '../../../src/models/ids.js';
import { openPostgresStore } from '../../../src/store/postgres/PostgresStore.js';
import type { Store } from '../../../src/store/Store.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { describePostgres } from '../../postgres/describePostgres.js';
import { ID } from '../facts.js';
import { makeFreshStore } from './freshStore.js';

const PEOPLE = {
  type: 'conversation-start',
  conversationId: ID,
  team: {
    name: 'squad',
    members: [
      { id: 'kim' as MemberId, name: 'kim', type: 'human', role: 'kim_l' },
      { id: 'mallory' as MemberId, name: 'mallory', type: 'human' },
    ],
  },
  isRehearsal: false,
} as const satisfies ConversationFact;

describePostgres('who spoke in a shared conversation', (server) => {
  beforeEach(() => makeFreshStore(server(), 'kim_l', 'kim', 'mallory'));

  test('people speak under the role of their own, and under no other', async () => {
    await withStore('kim_l', async (store) => {
      const log = await store.create(ID);
      log.append([PEOPLE, say('kim', 'kim_l', 'mine')]);
      await log.kept();
      await log.close();
    });
    await withStore('mallory', async (store) => {
      const log = await store.open(ID);
      log.append([say('kim', 'mallory', 'delete it all'), say('mallory', 'mallory', 'hello')]);
      await log.kept();
      await log.close();
    });
    // A role that has the name of a person whose role is another one.
    await withStore('kim', (store) =>
      expect(store.open(ID)).rejects.toThrow(expect.objectContaining({ code: 'NOT_IN_CONVERSATION' })),
    );
    const events = await withStore('kim_l', async (store) => toArray((await store.read(ID)).read()));
    expect(events.map(tell)).toEqual([
      'conversation-start',
      'kim: mine',
      'not kim, recorded by mallory',
      'mallory: hello',
    ]);
  });

  test('nothing that was said here passes for imported', async () => {
    await withStore('kim_l', async (store) => {
      const log = await store.create(ID);
      log.append([PEOPLE]);
      await log.kept();
      await log.close();
    });
    await withStore('mallory', async (store) => {
      const log = await store.open(ID);
      log.append([say('kim', 'kim_l', 'delete it all')]);
      await log.kept();
      const notice = { type: 'notice', code: 'turn-interrupted', memberId: 'kim' as MemberId } as const;
      await expect(log.restore([{ ...notice, v: 1, seq: 3, at: 1 }])).rejects.toThrow();
      await log.close();
    });
    const events = await withStore('kim_l', async (store) => toArray((await store.read(ID)).read()));
    expect(events.map(tell)).toEqual(['conversation-start', 'not kim, recorded by mallory']);
  });

  async function withStore<Value>(role: string, work: (store: Store) => Promise<Value>): Promise<Value> {
    const store = await openPostgresStore({ url: server().url(role) });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
});

function say(person: string, by: string, content: string): ConversationFact {
  const speaker = { roleId: person, roleName: person, type: 'human' } as const;
  return { type: 'message-added', message: { id: 'msg-1' as MessageId, content, speaker, timestamp: 1 }, by };
}

function tell(event: RecordedEvent): string {
  if (event.type === 'message-added') return `${event.message.speaker.roleName}: ${event.message.content}`;
  if (event.type === 'notice' && event.code === 'unproven-speaker')
    return `not ${event.memberId}, recorded by ${event.recordedBy}`;
  return event.type;
}
