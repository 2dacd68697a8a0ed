import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { ConversationEvent } from '../../src/models/ConversationEvent.js';
import { conversationEventSchema, createEventJsonSchema } from '../../src/store/eventSchema.js';

const published = JSON.parse(
  readFileSync(new URL('../../schema/conversation-event.schema.json', import.meta.url), 'utf8'),
);
const recorded = { v: 1, seq: 7, at: 1_700_000_000_000 };

test('the schema and the type describe the same events', () => {
  type Described = z.output<typeof conversationEventSchema>;
  expectTypeOf<ConversationEvent>().toExtend<Described>();
  expectTypeOf<Described>().toExtend<ConversationEvent>();
});

test('the published JSON Schema is what `npm run schema` writes', () => {
  expect(published).toEqual(createEventJsonSchema());
});

test.each([
  { type: 'task-changed', task: null, ...recorded },
  { type: 'title-changed', title: 'Sign-in', ...recorded },
  { type: 'conversation-pause', reason: { kind: 'limit', limit: 'usd', count: 5, max: 5 }, ...recorded },
  {
    type: 'turn-end',
    turnId: 'turn-1',
    memberId: 'max',
    milliseconds: 12,
    result: { kind: 'timed-out', limit: 'idle', milliseconds: 10, draft: '' },
    ...recorded,
  },
  {
    type: 'turn-progress',
    v: 1,
    at: 1,
    turnId: 'turn-1',
    memberId: 'max',
    event: { type: 'raw', record: { a: [1, null] } },
  },
  { type: 'files-progress', v: 1, at: 1, files: 42_000, isDone: true },
])('both take a $type', (event) => {
  expect(conversationEventSchema.parse(event)).toEqual(event);
  expect(z.fromJSONSchema(published).safeParse(event)).toMatchObject({ success: true });
});

test.each([
  ['an unknown type', { type: 'turn-began', ...recorded }],
  ['a newer version', { type: 'task-changed', task: null, ...recorded, v: 2 }],
  ['a missing field', { type: 'turns-dropped', ...recorded }],
])('both refuse %s', (_title, event) => {
  expect(conversationEventSchema.safeParse(event).success).toBe(false);
  expect(z.fromJSONSchema(published).safeParse(event).success).toBe(false);
});
