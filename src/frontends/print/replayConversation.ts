import type { RecordedEvent } from '../../models/ConversationEvent.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import { applyToView, type ConversationView, EMPTY_VIEW } from '../view.js';
import type { Printer } from './Printer.js';

/** Prints a conversation from its log. Nothing is under way in it: a turn is shown by what came of it. */
export async function replayConversation(
  events: AnyIterable<RecordedEvent>,
  printer: Printer,
): Promise<void> {
  let view = EMPTY_VIEW;
  // Gathered beside the view, which copies its lists with every event: a log may be long.
  const messages: ConversationView['messages'][number][] = [];
  const turns: ConversationView['turns'][number][] = [];
  for await (const event of events) {
    view = applyToView({ ...view, messages: [], turns: [] }, event);
    messages.push(...view.messages);
    turns.push(...view.turns);
    if (event.type !== 'turn-start') printer.take(event, view);
  }
  printer.end({ ...view, messages, turns });
}
