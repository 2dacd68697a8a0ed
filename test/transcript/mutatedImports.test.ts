import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { english } from '../../src/catalogue/english.js';
import { explainTurns } from '../../src/coordinator/explainTurn.js';
import { loadStatus } from '../../src/coordinator/loadConversation.js';
import { describeSessionStatus } from '../../src/frontends/print/sentences.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { HuddleError } from '../../src/models/errors.js';
import type { ConversationId } from '../../src/models/ids.js';
import { conversationEventSchema } from '../../src/store/eventSchema.js';
import { importConversation } from '../../src/store/importConversation.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { formatEventLines } from '../../src/transcript/exportFormats.js';
import { formatHtml } from '../../src/transcript/html.js';
import { formatMarkdown } from '../../src/transcript/markdown.js';
import { createTranscript } from '../../src/transcript/Transcript.js';
import { type AnyIterable, toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { isFull } from '../soak/isFull.js';
import { listAll } from '../store/facts.js';
import { tries } from '../tier.js';
import { talkWithEverything } from './talk.js';

const RUNS = isFull ? 5000 : tries(150);
const MARKUP = '"><img src=x onerror=alert(1)>';
const COPY = 'copy' as ConversationId;

type Fields = Record<string, unknown>;

const nonsense = fc.oneof(
  fc.constantFrom(MARKUP, null, -1, 1e308, 0.5, '', '1', [], {}, [null], 'turn-1', 'constructor'),
  fc.jsonValue(),
);
/** Somewhere in a log a value is replaced, or a field is added that no event has. */
const mutation = fc.record({
  place: fc.nat(),
  value: nonsense,
  newField: fc.option(fc.constantFrom('event', 'toString', 'usage', 'extra'), { freq: 2 }),
});

test(`${RUNS} logs with nonsense in them are refused with a sentence, or read as they were checked, shown, and given back`, async () => {
  const events = await talkWithEverything();
  const store = new SqliteStore({ file: join(makeTemporaryFolder(), 'conversations.db') });
  onTestFinished(() => store.close());
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 2 }), async (mutations) => {
      const log = structuredClone(events) as unknown as Fields[];
      for (const { place, value, newField } of mutations) mutate(log, place, value, newField);
      const lines = log.map((record) => `${JSON.stringify(record)}\n`).join('');
      try {
        await importConversation(store, [Buffer.from(lines)], { as: COPY });
      } catch (error) {
        expect(error).toBeInstanceOf(HuddleError);
        expect(await listAll(store)).toEqual([]);
        return;
      }
      accepted++;
      try {
        await expectWhole(store);
      } finally {
        await store.delete(COPY);
      }
    }),
    { numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(RUNS / 10);
});

async function expectWhole(store: SqliteStore): Promise<void> {
  const kept = await toArray((await store.read(COPY)).read());
  for (const event of kept) conversationEventSchema.parse(event);
  await expectReadable(kept);
  const status = await loadStatus(await store.read(COPY));
  expect(describeSessionStatus(status, (memberId) => memberId, undefined, english)).not.toEqual([]);
  const again = new MemoryStore();
  await importConversation(again, [Buffer.from(await exported(kept))]);
  expect(await exported((await again.read(COPY)).read())).toBe(await exported(kept));
}

async function expectReadable(events: readonly RecordedEvent[]): Promise<void> {
  const page = await formatHtml(await createTranscript(events), { plans: await plansOf(events) });
  expect(page).not.toContain('<img');
  expect(formatMarkdown(await createTranscript(events))).toContain('# ');
}

/** A turn of which the log does not say who its member is has no plan. */
async function plansOf(events: readonly RecordedEvent[]) {
  try {
    return new Map((await toArray(explainTurns(events))).map((turn) => [turn.turnId, turn]));
  } catch (error) {
    expect(error).toBeInstanceOf(HuddleError);
    return new Map();
  }
}

async function exported(events: AnyIterable<RecordedEvent>): Promise<string> {
  return (await toArray(formatEventLines(events))).join('');
}

function mutate(log: readonly Fields[], place: number, value: unknown, newField: string | null): void {
  const places: { readonly node: Fields; readonly key: string }[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const fields = node as Fields;
    const keys = newField === null ? Object.keys(fields) : [newField];
    places.push(...keys.map((key) => ({ node: fields, key })));
    for (const field of Object.values(fields)) visit(field);
  };
  for (const event of log) visit(event);
  const chosen = places[place % places.length];
  if (chosen !== undefined) chosen.node[chosen.key] = value;
}
