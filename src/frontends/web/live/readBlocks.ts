import { setImmediate } from 'node:timers/promises';
import { applyFact, type ConversationState, INITIAL_STATE } from '../../../conversation/ConversationState.js';
import { decodeStatus } from '../../../conversation/ConversationStatus.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { NEW_TELLING, showMembers, type Telling } from '../../../presentation/Telling.js';
import type { ConversationReader } from '../../../store/Store.js';
import { toArray } from '../../../utils/AnyIterable.js';
import type { OlderBlocks } from '../wire.js';
import { type PageOfBlocks, PageStart, pageOfBlocks } from './pageOfBlocks.js';

/** Events that are read without a pause: meanwhile no one else is served. */
const MOST_AT_ONCE = 2000;
/** Events read at first on the way back; each further step takes twice as many. */
const FIRST_STEP = 256;

/** The end of a conversation: how it stands, and its last blocks. */
export interface ReadEnd extends PageOfBlocks, OlderBlocks {
  readonly seq: number;
}

/**
 * Reads the last blocks of a log, and how it stands after them, in about the same time whatever its length.
 *
 * @param known How it stood after some event, if that is known: the blocks are those up to it.
 */
export async function readEnd(
  reader: ConversationReader,
  limit: number,
  known?: Pick<ReadEnd, 'telling' | 'seq'>,
): Promise<ReadEnd> {
  const seq = known?.seq ?? reader.lastSeq;
  const { state, task } = known === undefined ? await readState(reader) : stateIn(known.telling);
  const start = new PageStart(
    limit,
    state.running.map(({ turnId }) => turnId),
  );
  const { telling, ...page } = await readPage(reader, seq, start);
  return { ...page, seq, telling: known?.telling ?? { ...telling, conversation: state, task } };
}

/** Reads the blocks before a number; none of their turns is cut in two. */
export async function readBefore(
  reader: ConversationReader,
  before: number,
  limit: number,
): Promise<OlderBlocks> {
  const last = Math.min(before - 1, reader.lastSeq);
  const { blocks, from } = await readPage(reader, last, new PageStart(limit));
  return { blocks, ...(from !== undefined && { from }) };
}

/** The events from one number to another, in portions after which others had their turn. */
export async function* readPortions(
  reader: ConversationReader,
  from: number,
  to = reader.lastSeq,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let first = from; first <= to; first += MOST_AT_ONCE) {
    if (first > from) await setImmediate();
    yield toArray(reader.read(first, Math.min(to, first + MOST_AT_ONCE - 1)));
  }
}

async function readPage(
  reader: ConversationReader,
  last: number,
  start: PageStart,
): Promise<PageOfBlocks & Pick<OlderBlocks, 'from'>> {
  const events: RecordedEvent[] = [];
  const begun = await beginningOf(reader);
  if (last < 1) return { telling: begun, blocks: [] };
  let step = FIRST_STEP;
  for (let end = last; ; end -= step, step = Math.min(2 * step, MOST_AT_ONCE)) {
    if (end < last) await setImmediate();
    for (const event of (await toArray(reader.read(end - step + 1, end))).reverse()) {
      events.push(event);
      if (!start.mayBe(event)) continue;
      const isAll = event.seq === 1;
      const page = pageOfBlocks(events.reverse(), isAll ? NEW_TELLING : begun);
      return { ...page, ...(!isAll && { from: event.seq }) };
    }
  }
}

/** The telling of a conversation of which only the members are known. */
async function beginningOf(reader: ConversationReader): Promise<Telling> {
  const [start] = await toArray(reader.read(1, 1));
  if (start?.type !== 'conversation-start') return NEW_TELLING;
  return { ...NEW_TELLING, start, members: showMembers(start.team.members) };
}

interface KnownState {
  readonly state: ConversationState;
  readonly task: string | null;
}

function stateIn({ conversation, task }: Telling): KnownState {
  return { state: conversation, task };
}

/** Folds a log from its newest checkpoint on. */
async function readState(reader: ConversationReader): Promise<KnownState> {
  const checkpoint = await reader.readCheckpoint();
  const known = checkpoint && decodeStatus(checkpoint.value);
  let state = known?.state ?? INITIAL_STATE;
  let task = known?.teamTask ?? null;
  const seq = known === null ? 0 : (checkpoint?.seq ?? 0);
  for await (const events of readPortions(reader, seq + 1)) {
    for (const event of events) {
      state = applyFact(state, event);
      if (event.type === 'task-changed') task = event.task;
    }
  }
  return { state, task };
}
