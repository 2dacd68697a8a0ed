import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { applyEvent, EMPTY_VIEW } from '../view.js';
import type { Printer } from './Printer.js';

/** Prints a conversation from its log. Nothing is under way in it: a turn is shown by what came of it. */
export function replayConversation(events: Iterable<RecordedEvent>, printer: Printer): void {
  let view = EMPTY_VIEW;
  for (const event of events) {
    view = applyEvent(view, event);
    if (event.type !== 'turn-start') printer.take(event, view);
  }
  printer.end(view);
}
