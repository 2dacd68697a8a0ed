import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import type { TurnId } from '../../../models/ids.js';
import type { Block } from '../../../presentation/Block.js';
import type { Telling } from '../../../presentation/Telling.js';
import { tell } from '../../../presentation/tell.js';
import type { PlacedTelling } from '../wire.js';

/** Blocks that were told one after the other, and the telling after them. */
export interface PageOfBlocks {
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
    for (const block of step.blocks) if (isRow(block)) blocks.push({ seq: event.seq, block });
  }
  return { telling, blocks };
}

const ROWS: ReadonlySet<Block['kind']> = new Set([
  'start',
  'message',
  'turn',
  'task',
  'notice',
  'fork',
  'pause',
  'files',
] satisfies Block['kind'][]);

function isRow({ kind }: Block): boolean {
  return ROWS.has(kind);
}

/** Finds the place where a page may begin, event by event from its end back: no turn is cut in two. */
export class PageStart {
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
