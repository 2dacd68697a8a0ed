import { describeRenaming } from '../conversation/describeRenaming.js';
import { type ConversationFact, EVENT_VERSION, type RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Store } from './Store.js';

/** Gives facts their place in the log: the next numbers, and one time for all of them. */
export function numberFacts(
  facts: readonly ConversationFact[],
  lastSeq: number,
  at: number,
): RecordedEvent[] {
  return facts.map(
    (fact, index) => ({ ...fact, v: EVENT_VERSION, seq: lastSeq + index + 1, at }) as RecordedEvent,
  );
}

/** The same events, as long as each can be written down and has the number after the one before. */
export function* requireNext(events: Iterable<RecordedEvent>, lastSeq: number): Iterable<RecordedEvent> {
  let expected = lastSeq;
  for (const event of events) {
    expected++;
    if (event.seq !== expected)
      throw new RangeError(`Event ${event.seq} came where ${expected} was expected`);
    requireWritable(event);
    yield event;
  }
}

/** Throws INVALID_EVENT if an event would come back from JSON as another one than it was. */
function requireWritable(event: RecordedEvent): void {
  const fault = findUnwritable(event);
  if (fault === null) return;
  const [path, kind] = fault;
  const text = `Event ${event.seq} cannot be saved: ${path.join('.')} is ${kind}, which JSON cannot hold.`;
  throw new HuddleError('INVALID_EVENT', text);
}

/** Finds a value that JSON cannot hold: where it is, and what. Fields that are undefined are as good as absent. */
function findUnwritable(value: unknown): readonly [path: readonly string[], kind: string] | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : [[], String(value)];
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return [[], nameKind(value)];
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    if (field === undefined && !isList) continue;
    const fault = findUnwritable(field);
    if (fault !== null) return [[String(key), ...fault[0]], fault[1]];
  }
  return null;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function nameKind(value: unknown): string {
  if (value === undefined) return 'undefined';
  return `a ${typeof value === 'object' ? value?.constructor.name : typeof value}`;
}

/** Names a conversation that no process has open; it keeps its place in the list. Rejects with ConversationLockedError. */
export async function renameConversation(store: Store, id: ConversationId, title: string): Promise<void> {
  const fact = describeRenaming(title);
  const log = await store.open(id, { inPlace: true });
  try {
    // An imported copy that was never continued stays one, although it has one more event.
    const isUntouched = log.restoredSeq === log.lastSeq;
    if (isUntouched) await log.restore(numberFacts([fact], log.lastSeq, Date.now()));
    else log.append([fact]);
    await log.kept();
  } finally {
    await log.close();
  }
}
