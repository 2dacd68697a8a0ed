import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyToStatus, decodeStatus, INITIAL_STATUS } from '../../src/conversation/ConversationStatus.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { HuddleError } from '../../src/models/errors.js';
import type { ConversationId } from '../../src/models/ids.js';
import { importConversation, readChunks } from '../../src/store/importConversation.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { numberFacts } from '../../src/store/numberFacts.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { isFull } from '../soak/isFull.js';
import { ID, listAll, message, queued, start, turnEnd, turnStart } from './facts.js';

const MUTATIONS = isFull ? 5000 : 500;
const events = numberFacts(
  [start(), message(1), queued(1), turnStart(1), turnEnd(1), message(2, 'Yes.', 'max')],
  0,
  7,
);

describe('importing a log', () => {
  test('keeps it as it is, from a file, into SQLite', async () => {
    const folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'log.jsonl'), linesOf(events));
    const store = new SqliteStore({ file: join(folder, 'conversations.db') });
    expect(await importConversation(store, readChunks(join(folder, 'log.jsonl')))).toBe(ID);
    expect(await toArray((await store.read(ID)).read())).toEqual(events);
    expect(await listAll(store)).toMatchObject([{ id: ID, state: 'done', messages: 2 }]);
    await store.close();
  });

  test('leaves a checkpoint at the end of a long one, from which showing it begins', async () => {
    const store = new MemoryStore();
    const long = numberFacts(
      [start(), ...Array.from({ length: 300 }, (_, index) => message(index + 1))],
      0,
      7,
    );
    await importConversation(store, [Buffer.from(linesOf(long))]);
    const checkpoint = await (await store.read(ID)).readCheckpoint();
    const folded = long.reduce(applyToStatus, INITIAL_STATUS);
    expect(checkpoint?.seq).toBe(long.length);
    expect(decodeStatus(checkpoint?.value)).toEqual(folded);
  });

  test('leaves none in a short one: damage anywhere is noticed when it is opened', async () => {
    const store = new MemoryStore();
    await importConversation(store, [Buffer.from(linesOf(events))]);
    expect(await (await store.read(ID)).readCheckpoint()).toBeNull();
  });

  test('can give it another id', async () => {
    const store = new MemoryStore();
    await importConversation(store, [Buffer.from(linesOf(events))], { as: 'copy' as ConversationId });
    expect((await toArray((await store.read('copy' as ConversationId)).read()))[0]).toMatchObject({
      conversationId: 'copy',
    });
  });

  test('does not touch a conversation that is there', async () => {
    const store = new MemoryStore();
    await importConversation(store, [Buffer.from(linesOf(events))]);
    await expect(importConversation(store, [Buffer.from(linesOf(events))])).rejects.toThrow(
      expect.objectContaining({ code: 'CONVERSATION_EXISTS' }),
    );
  });

  const [first, second, third, fourth, fifth, sixth] = events as [RecordedEvent, ...RecordedEvent[]];
  const cases: ReadonlyArray<readonly [string, unknown[], RegExp]> = [
    ['nothing', [], /^Line 1 .*begins with conversation-start/],
    ['no beginning', [second], /^Line 1 /],
    ['a gap', [first, { ...second, seq: 3 }], /^Line 2 .*number is 3, not 2/],
    ['a number twice', [first, second, second], /^Line 3 .*number is 2, not 3/],
    ['two beginnings', [first, { ...first, seq: 2 }], /^Line 2 .*starts twice/],
    ['a message twice', [first, second, { ...second, seq: 3 }], /^Line 3 .*"msg-1" is there twice/],
    [
      'an end twice',
      [first, second, third, fourth, fifth, { ...fifth, seq: 6 }],
      /^Line 6 .*"turn-1" is there twice/,
    ],
    ['no event', [first, { hello: 1, v: 1, seq: 2, at: 1 }], /^Line 2 /],
    ['a field of the wrong kind', [first, { ...second, at: 'now' }], /^Line 2 .*at:/],
    [
      'what is only shown',
      [
        first,
        { type: 'turn-progress', v: 1, at: 1, turnId: 't', memberId: 'm', event: { type: 'text', text: '' } },
      ],
      /^Line 2 /,
    ],
    ['a deep record', [first, { ...sixth, seq: 2, extra: nest(100) }], /^Line 2 .*deeper than 64/],
    ['a message without an id', [first, withMessage(second, { id: '' })], /^Line 2 .*message\.id: /],
    [
      'a message of nobody',
      [first, withMessage(second, { speaker: { roleId: '', roleName: 'max', type: 'ai' } })],
      /^Line 2 .*message\.speaker\.roleId: /,
    ],
    ['an id that could be a path', [{ ...first, conversationId: '../x' }], /^Line 1 .*id/],
  ];
  test.each(cases)('refuses %s and keeps nothing', async (_, records, reason) => {
    const store = new MemoryStore();
    await expect(importConversation(store, [Buffer.from(linesOf(records))])).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_IMPORT', message: expect.stringMatching(reason) }),
    );
    expect(await listAll(store)).toEqual([]);
  });

  test('names a line that is not JSON, whatever comes after it', async () => {
    const [head, ...rest] = linesOf(events).split(/(?<=\n)/u);
    const refusing = (text: string) => importConversation(new MemoryStore(), [Buffer.from(text)]);
    await expect(refusing(`{"events":[\n${head}${rest.join('')}`)).rejects.toThrow(/^Line 1 .*not JSON/);
    await expect(refusing(`${head}oops\n${rest.join('')}`)).rejects.toThrow(/^Line 2 .*not JSON/);
  });

  test('refuses a key that could pass for a prototype', async () => {
    const line = linesOf(events).replace('"speaker":{', '"speaker":{"__proto__":{"isAdmin":true},');
    await expect(importConversation(new MemoryStore(), [Buffer.from(line)])).rejects.toThrow(/__proto__/);
  });

  const recorded = { v: 1, seq: 2, at: 1 };
  test.each([
    { type: 'notice', code: 'no-agent', text: 'There is no agent to answer.', messageId: 'msg-1' },
    { type: 'brief-changed', memberId: 'max', brief: {}, sha256: '', systemSha256: '' },
    { type: 'human-awaited', memberIds: ['kim'], named: false },
    {
      type: 'turn-end',
      turnId: 'turn-1',
      memberId: 'max',
      milliseconds: 1,
      result: { kind: 'failed', draft: '', failure: { code: 'AUTH', message: 'No.', hint: 'Log in.' } },
    },
  ])('refuses a log from before the first release as a whole, by its $type', async (old) => {
    const store = new MemoryStore();
    const log = Buffer.from(linesOf([first, { ...old, ...recorded }]));
    await expect(importConversation(store, [log])).rejects.toThrow(
      expect.objectContaining({
        code: 'STORE_OLDER',
        message: expect.stringMatching(/^Line 2 .*first release/),
      }),
    );
    expect(await listAll(store)).toEqual([]);
  });

  test('keeps fields that a later version may have added', async () => {
    const store = new MemoryStore();
    const later = { type: 'task-changed', task: 'Go', mood: { calm: true }, ...recorded };
    await importConversation(store, [Buffer.from(linesOf([first, later]))]);
    expect((await toArray((await store.read(ID)).read()))[1]).toEqual(later);
  });

  test('refuses a newer version by its number', async () => {
    const newer = linesOf([{ ...events[0], v: 2 }]);
    await expect(importConversation(new MemoryStore(), [Buffer.from(newer)])).rejects.toThrow(
      expect.objectContaining({ code: 'STORE_NEWER', found: 2, known: 1 }),
    );
  });

  test(`survives ${MUTATIONS} mutated logs: kept exactly or refused, and no prototype changes`, async () => {
    const bytes = Buffer.from(linesOf(events));
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            at: fc.nat(bytes.length - 1),
            cut: fc.nat(40),
            put: fc.oneof(
              fc.string(),
              fc.constantFrom('"__proto__":{}', '{', '}', '\n', 'null', '1e999', '[[[['),
            ),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        async (mutations) => {
          let text = bytes.toString();
          for (const { at, cut, put } of mutations) text = text.slice(0, at) + put + text.slice(at + cut);
          const store = new MemoryStore();
          try {
            const id = await importConversation(store, [Buffer.from(text)]);
            const kept = await toArray((await store.read(id)).read());
            expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1));
          } catch (error) {
            expect(error).toBeInstanceOf(HuddleError);
            expect(await listAll(store)).toEqual([]);
          }
          expect(Object.keys(Object.prototype)).toEqual([]);
        },
      ),
      { numRuns: MUTATIONS },
    );
  });
});

function linesOf(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function withMessage(event: RecordedEvent | undefined, parts: object): unknown {
  return event?.type === 'message-added' ? { ...event, message: { ...event.message, ...parts } } : event;
}

function nest(depth: number): unknown {
  return depth === 0 ? 1 : { deeper: nest(depth - 1) };
}
