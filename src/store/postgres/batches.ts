import type { ConversationFact, RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { Deferred } from '../../utils/defer.js';
import type { Taking } from '../Store.js';
import type { ConversationTally } from '../summary.js';

/** A batch has at most so many events and characters, unless one append has more. */
const BATCH_EVENTS = 1000;
const BATCH_CHARACTERS = 4 * 1024 ** 2;
/** Bytes of one event at most, as the database checks it. */
const MOST_BYTES = 64 * 1024 ** 2;

/** The facts of one append on their way to the database. */
export interface Appended {
  readonly firstSeq: number;
  readonly bodies: readonly string[];
  readonly characters: number;
  readonly tally: ConversationTally;
  readonly taking: Taking | undefined;
  readonly kept: Deferred<void>;
}

/** An event as text. Throws INVALID_EVENT for one that is longer than the database takes. */
export function writeEvent(event: RecordedEvent): string {
  const body = JSON.stringify(event);
  if (body.length > MOST_BYTES / 3 && Buffer.byteLength(body) > MOST_BYTES)
    throw new HuddleError(
      'INVALID_EVENT',
      `Event ${event.seq} cannot be saved: it has over ${MOST_BYTES} bytes.`,
    );
  return body;
}

/** A message of a person, or of a program that asks, is said by the role of the process that writes it, unless it says by whom. */
export function nameSpeaker(fact: ConversationFact, role: string): ConversationFact {
  const isOurs = fact.type === 'message-added' && fact.message.speaker.type !== 'ai' && fact.by === undefined;
  return isOurs ? { ...fact, by: role } : fact;
}

/** The first appends that go together. One that takes a wish is the first of its batch, and reports are those of one turn. */
export function chooseBatch(waiting: readonly Appended[]): readonly Appended[] {
  const batch: Appended[] = [];
  let [events, characters] = [0, 0];
  for (const appended of waiting) {
    events += appended.bodies.length;
    characters += appended.characters;
    const isTooMuch = events > BATCH_EVENTS || characters > BATCH_CHARACTERS;
    if (batch.length > 0 && (isTooMuch || !isJoinable(appended, batch))) break;
    batch.push(appended);
  }
  return batch;
}

function isJoinable({ taking }: Appended, batch: readonly Appended[]): boolean {
  if (taking === undefined) return true;
  if (taking.wish !== undefined) return false;
  return batch.every(
    ({ taking: before }) => before === undefined || before.reports?.turnId === taking.reports?.turnId,
  );
}

interface Chunk {
  readonly events: RecordedEvent[];
  readonly bodies: string[];
}

export function* splitIntoChunks(events: Iterable<RecordedEvent>): Generator<Chunk> {
  let chunk: Chunk = { events: [], bodies: [] };
  let characters = 0;
  for (const event of events) {
    const body = writeEvent(event);
    chunk.events.push(event);
    chunk.bodies.push(body);
    characters += body.length;
    if (chunk.events.length < BATCH_EVENTS && characters < BATCH_CHARACTERS) continue;
    yield chunk;
    chunk = { events: [], bodies: [] };
    characters = 0;
  }
  if (chunk.events.length > 0) yield chunk;
}
