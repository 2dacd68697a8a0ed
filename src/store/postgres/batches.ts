import type { ConversationFact, RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import type { Deferred } from '../../utils/defer.js';
import { numberFacts, requireNext } from '../numberFacts.js';
import type { Claim, ConversationContents } from '../Store.js';
import { ConversationExistsError } from '../storeErrors.js';
import { type ConversationTally, countEvent, EMPTY_TALLY } from '../summary.js';
import type { Query, SharedRow } from './SharedStore.js';

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
  readonly claim: Claim | undefined;
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

/** The first appends that go together. One that takes a command is the first of its batch, and reports are those of one turn. */
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

function isJoinable({ claim }: Appended, batch: readonly Appended[]): boolean {
  if (claim === undefined) return true;
  if (claim.command !== undefined) return false;
  return batch.every(
    ({ claim: before }) => before === undefined || before.reports?.turnId === claim.reports?.turnId,
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

/** A conversation as the functions of the database want to be told that this process holds it. */
export type HeldBy = readonly [number: number, process: string, fence: number];

/** The end of a log. */
export interface LogEnd {
  readonly lastSeq: number;
  readonly tally: ConversationTally;
}

/** A conversation to be saved whole. */
export interface WholeConversation {
  readonly id: ConversationId;
  /** The row of this process. */
  readonly process: string;
  readonly role: string;
  readonly place: string | null;
  readonly contents: ConversationContents;
  /** Epoch milliseconds. */
  readonly at: number;
}

interface MadeRow extends SharedRow {
  readonly number: number;
  readonly fence: number;
  readonly last_seq?: number;
}

/** Makes a conversation with all that is in it and gives it back. Part of one transaction, so nobody sees it before its end. */
export async function writeConversation(query: Query, whole: WholeConversation): Promise<void> {
  const { process, role, at } = whole;
  const { restored = [], added = [], checkpoint } = whole.contents;
  const { number, fence } = await makeConversation(query, whole);
  const held: HeldBy = [number, process, fence];
  const past = await restoreEvents(query, held, { lastSeq: 0, tally: EMPTY_TALLY }, restored);
  const said = added.map((fact) => nameSpeaker(fact, role));
  await appendEvents(query, held, past, numberFacts(said, past.lastSeq, at));
  const made = checkpoint?.() ?? null;
  if (made !== null)
    await query('SELECT huddle.save_checkpoint($1, $2, $3, $4, $5)', [
      ...held,
      made.seq,
      JSON.stringify(made.value),
    ]);
  await query('SELECT huddle.release_conversation($1, $2, $3)', held);
}

/** Adds events from elsewhere to the end of a log. Gives its new end. */
export function restoreEvents(
  query: Query,
  held: HeldBy,
  end: LogEnd,
  events: Iterable<RecordedEvent>,
): Promise<LogEnd> {
  return writeEvents(query, 'SELECT huddle.restore_events($1, $2, $3, $4, $5, $6)', held, end, events);
}

function appendEvents(query: Query, held: HeldBy, end: LogEnd, events: Iterable<RecordedEvent>) {
  const append = 'SELECT huddle.append($1, $2, $3, $4, $5, $6, NULL, NULL, NULL)';
  return writeEvents(query, append, held, end, events);
}

async function writeEvents(
  query: Query,
  write: string,
  held: HeldBy,
  { lastSeq, tally }: LogEnd,
  events: Iterable<RecordedEvent>,
): Promise<LogEnd> {
  for (const chunk of splitIntoChunks(requireNext(events, lastSeq))) {
    tally = chunk.events.reduce(countEvent, tally);
    await query(write, [...held, lastSeq + 1, chunk.bodies.join('\n'), JSON.stringify(tally)]);
    lastSeq += chunk.events.length;
  }
  return { lastSeq, tally };
}

/** A new conversation; or one of this role in which nothing was ever said, as a process leaves it that ends too early. */
async function makeConversation(query: Query, { id, process, place }: WholeConversation): Promise<MadeRow> {
  const [left] = await query(
    'SELECT number FROM huddle.conversation WHERE id = $1 AND last_seq = 0 AND created_by = session_user',
    [id],
  );
  const [made] =
    left === undefined
      ? await query<MadeRow>('SELECT * FROM huddle.create_conversation($1, $2, $3, $4)', [
          id,
          process,
          JSON.stringify(EMPTY_TALLY),
          place,
        ])
      : await query<MadeRow>('SELECT * FROM huddle.hold_conversation($1, $2, false, false, $3)', [
          id,
          process,
          place,
        ]);
  // Meanwhile somebody may have spoken in it.
  if (made === undefined || (made.last_seq ?? 0) > 0) throw new ConversationExistsError(id);
  return made;
}
