import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { NEW_TELLING, showMembers, type Telling } from '../../../presentation/Telling.js';
import type { ConversationReader } from '../../../store/Store.js';
import { toArray } from '../../../utils/AnyIterable.js';
import type { OlderBlocks } from '../wire.js';
import type { KnownStates } from './KnownStates.js';
import { LogTail } from './LogTail.js';
import { type PageOfBlocks, PageStart, pageOfBlocks } from './pageOfBlocks.js';

/** The end of a conversation: how it stands, and its last blocks. */
export interface ReadEnd extends PageOfBlocks, OlderBlocks {
  readonly seq: number;
}

/**
 * Reads the last blocks of a log, and how it stands after them, in about the same time whatever its length.
 *
 * @param told How it stood after some event, if that is known: the blocks are those up to it.
 */
export async function readEnd(
  reader: ConversationReader,
  limit: number,
  states: KnownStates,
  told?: Pick<ReadEnd, 'telling' | 'seq'>,
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
  return { blocks, ...(from !== undefined && { from }) };
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
  return { ...page, ...(from > 1 && { from }) };
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
