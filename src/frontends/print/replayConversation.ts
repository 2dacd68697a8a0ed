import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { NEW_TELLING } from '../../presentation/Telling.js';
import { tell } from '../../presentation/tell.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import type { Printer } from './Printer.js';

/** Prints a conversation from its log. Nothing is under way in it: a turn is shown by what came of it. */
export async function replayConversation(
  events: AnyIterable<RecordedEvent>,
  printer: Printer,
): Promise<void> {
  let telling = NEW_TELLING;
  for await (const event of events) {
    const step = tell(telling, event);
    telling = step.telling;
    if (event.type !== 'turn-start') printer.take(event, step);
  }
  printer.end(telling);
}
