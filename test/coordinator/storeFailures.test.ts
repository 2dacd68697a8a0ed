import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import type { ConversationEvent } from '../../src/models/ConversationEvent.js';
import type { ConversationMessage } from '../../src/models/ConversationMessage.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import type { ConversationLog, Store } from '../../src/store/Store.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { StoreWriteError } from '../../src/store/storeErrors.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { ID, listAll } from '../store/facts.js';
import { agentNamed, type Play, resumeWith, says, startWith, teamOf } from '../store/stage.js';

const team = teamOf([agentNamed('max'), agentNamed('sarah')]);
const talk: Play = ({ memberName }) =>
  says(memberName === 'max' ? 'Your turn. [NEXT: sarah]' : `Done. ${'x'.repeat(500)}`);
/** As many as the talk below takes when nothing fails. */
const APPENDS = 10;

describe('when an append fails', () => {
  test.each(Array.from({ length: APPENDS }, (_, index) => index + 1))(
    'memory and listeners have what is kept, and the conversation can be opened again: append %i',
    async (failing) => {
      const store = new MemoryStore();
      const heard: ConversationEvent[] = [];
      const conversation = await talkUntilFailure(failNth(store, failing), (event) => heard.push(event));
      const kept = await toArray(await (await store.read(ID)).read());
      const messages = kept.flatMap((event) => (event.type === 'message-added' ? [event.message] : []));
      if (conversation !== null) {
        expect(conversation.snapshot().messages).toEqual(messages);
        expect(await toArray(conversation.history())).toEqual(kept);
        const facts = heard.filter(({ type }) => type !== 'turn-progress');
        expect(facts).toEqual(kept.slice(kept.length - facts.length));
        await conversation.close();
      }
      const again = await resumeWith(store, ID, team, talk, { takeOver: true });
      expect(again.snapshot().messages).toEqual(messages);
      await again.send('[NEXT: max] Once more.');
      expect(await again.settled()).toMatchObject({ kind: 'waiting' });
      await again.close();
    },
  );

  test('because the file is full, what was acknowledged is kept and the failure names file and room', async () => {
    const file = join(makeTemporaryFolder(), 'conversations.db');
    const store = new SqliteStore({ file, maxPages: 12 });
    const conversation = await startWith(store, team, talk, ID);
    const acknowledged: ConversationMessage[] = [];
    conversation.subscribe((event) => {
      if (event.type === 'message-added') acknowledged.push(event.message);
    });
    const failure = await failureOf(async () => {
      for (;;) {
        await conversation.send('[NEXT: max] Go.');
        await conversation.settled();
      }
    });
    expect(failure).toMatchObject({
      code: 'STORE_WRITE',
      file,
      freeBytes: expect.any(Number),
      message: expect.stringMatching(/is full \(\d+ KB free\)/),
    });
    expect(conversation.snapshot().messages).toEqual(acknowledged);
    await conversation.close();
    await store.close();
    const kept = new SqliteStore({ file });
    const again = await resumeWith(kept, ID, team, talk);
    expect(again.snapshot().messages).toEqual(acknowledged.slice(-again.snapshot().messages.length));
    expect(await listAll(kept)).toMatchObject([{ messages: acknowledged.length }]);
    await again.close();
    await kept.close();
  });
});

async function talkUntilFailure(
  store: Store,
  listen: (event: ConversationEvent) => void,
): Promise<Conversation | null> {
  let conversation: Conversation | null = null;
  const failure = await failureOf(async () => {
    conversation = await startWith(store, team, talk, ID);
    conversation.subscribe(listen);
    await conversation.send('[NEXT: max] Go.');
    await conversation.settled();
    await conversation.send('[NEXT: max] Again.');
    await conversation.settled();
  });
  expect(failure).toMatchObject({ code: 'STORE_WRITE' });
  return conversation;
}

async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The same store, but one append of its first conversation fails. */
function failNth(store: MemoryStore, failing: number): Store {
  let appends = 0;
  const fail = (log: ConversationLog): ConversationLog =>
    new Proxy(log, {
      get(target, key) {
        if (key === 'append' && ++appends === failing) {
          return () => {
            throw new StoreWriteError('conversations.db', { sqlite: 13 }, 0);
          };
        }
        const value = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return {
    create: async (id) => fail(await store.create(id)),
    createWhole: (id, contents) => store.createWhole(id, contents),
    open: (id, options) => store.open(id, options),
    read: (id) => store.read(id),
    list: (query) => store.list(query),
    find: (word) => store.find(word),
    delete: (id) => store.delete(id),
    close: () => store.close(),
  };
}
