import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import type { TurnId } from '../../../models/ids.js';
import { NEW_TELLING, showMembers, type Telling } from '../../../presentation/Telling.js';
import { tell } from '../../../presentation/tell.js';
import type { ConversationReader } from '../../../store/Store.js';
import { toArray } from '../../../utils/AnyIterable.js';
import { isRow } from '../folds.js';
import type { OlderBlocks, PlacedTelling } from '../wire.js';
import { type KnownStates, LogTail } from './LogTail.js';

/** The end of a conversation: how it stands, and its last blocks. */
interface ReadEnd extends PageOfBlocks, OlderBlocks {
  readonly seq: number;
}

interface EndOptions {
  /** State after some event, if that is known: the blocks are those up to it. */
  readonly told?: Pick<ReadEnd, 'telling' | 'seq'> | undefined;
}

/** Reads the last blocks of a log, and how it stands after them, in about the same time whatever its length. */
export async function readEnd(
  reader: ConversationReader,
  limit: number,
  states: KnownStates,
  { told }: EndOptions = {},
): Promise<ReadEnd> {
  const start = await readStart(reader);
  const tail = new LogTail(reader, told?.seq);
  const { state, task } =
    told === undefined
      ? await states.read(tail, start?.at ?? 0)
      : { state: told.telling.conversation, task: told.telling.task };
  const running = state.running.map(({ turnId }) => turnId);
  const { telling, ...page } = await readPage(tail, new PageStart(limit, running), start);
  return { ...page, seq: tail.last, telling: told?.telling ?? { ...telling, conversation: state, task } };
}

/** Reads the blocks before a number; none of their turns is cut in two. */
export async function readBefore(
  reader: ConversationReader,
  before: number,
  limit: number,
): Promise<OlderBlocks> {
  const tail = new LogTail(reader, before - 1);
  const { blocks, from } = await readPage(tail, new PageStart(limit), await readStart(reader));
  return { blocks, from };
}

async function readPage(
  tail: LogTail,
  start: PageStart,
  first: RecordedEvent | undefined,
): Promise<PageOfBlocks & Pick<OlderBlocks, 'from'>> {
  const events: RecordedEvent[] = [];
  for await (const event of tail.backwards()) {
    events.push(event);
    if (start.mayBe(event)) break;
  }
  const from = events.at(-1)?.seq ?? 1;
  const page = pageOfBlocks(events.reverse(), from === 1 ? NEW_TELLING : beginWith(first));
  return { ...page, from: from > 1 ? from : undefined };
}

async function readStart(reader: ConversationReader): Promise<RecordedEvent | undefined> {
  const [start] = await toArray(reader.read(1, 1));
  return start;
}

/** The telling of a conversation of which only the members are known. */
function beginWith(start: RecordedEvent | undefined): Telling {
  if (start?.type !== 'conversation-start') return NEW_TELLING;
  return { ...NEW_TELLING, start, members: showMembers(start.team.members) };
}

/** Blocks that were told one after the other, and the telling after them. */
interface PageOfBlocks {
  readonly telling: Telling;
  readonly blocks: readonly PlacedTelling[];
}

/** Tells some events. Steps of the work of a turn are no blocks of a page: they are in the turn. */
export function pageOfBlocks(events: Iterable<RecordedEvent>, before: Telling): PageOfBlocks {
  const blocks: PlacedTelling[] = [];
  let telling = before;
  for (const event of events) {
    const step = tell(telling, event);
    telling = step.telling;
    blocks.push(...step.blocks.map((block) => ({ seq: event.seq, block })).filter(isRow));
  }
  return { telling, blocks };
}

/** Finds the place where a page may begin, event by event from its end back: no turn is cut in two. */
class PageStart {
  readonly #wanted: number;
  /** Turns of which the start has yet to come. */
  readonly #open: Set<TurnId>;
  #blocks = 0;

  /** @param running Turns that run after the last event, be it that they have reported nothing for long. */
  constructor(wanted: number, running: Iterable<TurnId> = []) {
    this.#wanted = wanted;
    this.#open = new Set(running);
  }

  /** Whether the page may begin with this event, which comes before those given so far. */
  mayBe(event: RecordedEvent): boolean {
    if (event.type === 'turn-start') this.#open.delete(event.turnId);
    // It ended in the queue, or its start would have come.
    if (event.type === 'turns-queued') for (const { turnId } of event.turns) this.#open.delete(turnId);
    for (const turnId of turnsOf(event)) this.#open.add(turnId);
    if (isSurelyShown(event)) this.#blocks++;
    return event.seq === 1 || (this.#blocks >= this.#wanted && this.#open.size === 0);
  }
}

/** The turns of which an event tells more. */
function turnsOf(event: RecordedEvent): readonly TurnId[] {
  switch (event.type) {
    case 'turn-activity':
    case 'permission-decided':
    case 'turn-end':
      return [event.turnId];
    case 'message-added':
      return event.turnId === undefined ? [] : [event.turnId];
    case 'files-recorded':
      return event.by.kind === 'turns' ? event.by.turnIds : [];
    default:
      return [];
  }
}

/** Whether an event is a block for certain; changes of files may be none. */
function isSurelyShown(event: RecordedEvent): boolean {
  switch (event.type) {
    case 'message-added':
    case 'notice':
    case 'task-changed':
    case 'conversation-pause':
      return true;
    case 'turn-end':
      return event.result.kind !== 'completed';
    default:
      return false;
  }
}

/** The telling as it is sent: the answers that are counted may be as many as there are messages, and only counts are shown. */
export function tellingToSend(telling: Telling): Telling {
  const { conversation } = telling;
  const { counters } = conversation;
  const answers = { ...counters.answers, root: null };
  return { ...telling, conversation: { ...conversation, counters: { ...counters, answers } } };
}
