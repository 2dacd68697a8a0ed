import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { HuddleError } from '../../src/models/errors.js';
import type { ConversationId } from '../../src/models/ids.js';
import { importConversation, readChunks } from '../../src/store/importConversation.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { numberFacts } from '../../src/store/numberFacts.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { isFull } from '../soak/isFull.js';
import { ID, message, queued, start, turnEnd, turnStart } from './facts.js';

const MUTATIONS = isFull ? 5000 : 500;
const events = numberFacts(
  [start(), message(1), queued(1), turnStart(1), turnEnd(1), message(2, 'Yes.', 'max')],
  0,
  7,
);

describe('importing a log', () => {
  test('keeps it as it is, from a file, into SQLite', () => {
    const folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'log.jsonl'), linesOf(events));
    const store = new SqliteStore({ file: join(folder, 'conversations.db') });
    expect(importConversation(store, readChunks(join(folder, 'log.jsonl')))).toBe(ID);
    expect([...store.read(ID).read()]).toEqual(events);
    expect(store.list()).toMatchObject([{ id: ID, state: 'done', messages: 2 }]);
    store.close();
  });

  test('can give it another id', () => {
    const store = new MemoryStore();
    importConversation(store, [Buffer.from(linesOf(events))], { as: 'copy' as ConversationId });
    expect([...store.read('copy' as ConversationId).read()][0]).toMatchObject({ conversationId: 'copy' });
  });

  test('does not touch a conversation that is there', () => {
    const store = new MemoryStore();
    importConversation(store, [Buffer.from(linesOf(events))]);
    expect(() => importConversation(store, [Buffer.from(linesOf(events))])).toThrow(
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
  test.each(cases)('refuses %s and keeps nothing', (_, records, reason) => {
    const store = new MemoryStore();
    expect(() => importConversation(store, [Buffer.from(linesOf(records))])).toThrow(
      expect.objectContaining({ code: 'INVALID_IMPORT', message: expect.stringMatching(reason) }),
    );
    expect(store.list()).toEqual([]);
  });

  test('names a line that is not JSON, whatever comes after it', () => {
    const [head, ...rest] = linesOf(events).split(/(?<=\n)/u);
    const refusing = (text: string) => () => importConversation(new MemoryStore(), [Buffer.from(text)]);
    expect(refusing(`{"events":[\n${head}${rest.join('')}`)).toThrow(/^Line 1 .*not JSON/);
    expect(refusing(`${head}oops\n${rest.join('')}`)).toThrow(/^Line 2 .*not JSON/);
  });

  test('refuses a key that could pass for a prototype', () => {
    const line = linesOf(events).replace('"speaker":{', '"speaker":{"__proto__":{"isAdmin":true},');
    expect(() => importConversation(new MemoryStore(), [Buffer.from(line)])).toThrow(/__proto__/);
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
  ])('refuses a log from before the first release as a whole, by its $type', (old) => {
    const store = new MemoryStore();
    expect(() => importConversation(store, [Buffer.from(linesOf([first, { ...old, ...recorded }]))])).toThrow(
      expect.objectContaining({
        code: 'STORE_OLDER',
        message: expect.stringMatching(/^Line 2 .*first release/),
      }),
    );
    expect(store.list()).toEqual([]);
  });

  test('keeps fields that a later version may have added', () => {
    const store = new MemoryStore();
    const later = { type: 'task-changed', task: 'Go', mood: { calm: true }, ...recorded };
    importConversation(store, [Buffer.from(linesOf([first, later]))]);
    expect([...store.read(ID).read()][1]).toEqual(later);
  });

  test('refuses a newer version by its number', () => {
    const newer = linesOf([{ ...events[0], v: 2 }]);
    expect(() => importConversation(new MemoryStore(), [Buffer.from(newer)])).toThrow(
      expect.objectContaining({ code: 'STORE_NEWER', found: 2, known: 1 }),
    );
  });

  test(`survives ${MUTATIONS} mutated logs: kept exactly or refused, and no prototype changes`, () => {
    const bytes = Buffer.from(linesOf(events));
    fc.assert(
      fc.property(
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
        (mutations) => {
          let text = bytes.toString();
          for (const { at, cut, put } of mutations) text = text.slice(0, at) + put + text.slice(at + cut);
          const store = new MemoryStore();
          try {
            const id = importConversation(store, [Buffer.from(text)]);
            const kept = [...store.read(id).read()];
            expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1));
          } catch (error) {
            expect(error).toBeInstanceOf(HuddleError);
            expect(store.list()).toEqual([]);
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
