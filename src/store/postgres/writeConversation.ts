import type { RecordedEvent } from '../../models/ConversationEvent.js';
import type { ConversationId } from '../../models/ids.js';
import { numberFacts, requireNext } from '../numberFacts.js';
import type { ConversationContents } from '../Store.js';
import { ConversationExistsError } from '../storeErrors.js';
import { type ConversationTally, countEvent, EMPTY_TALLY } from '../summary.js';
import { nameSpeaker, splitIntoChunks } from './batches.js';
import type { Query, SharedRow } from './SharedStore.js';

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
