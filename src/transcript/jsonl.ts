import type { RecordedEvent } from '../models/ConversationEvent.js';

/** The log itself, one event a line: what `importConversation` reads. */
export function* formatJsonl(events: Iterable<RecordedEvent>): Generator<string> {
  for (const event of events) yield `${JSON.stringify(event)}\n`;
}

/** The log as one JSON document, piece by piece, an event a line. */
export function* formatJson(events: Iterable<RecordedEvent>): Generator<string> {
  let separator = '{"format":"huddle-conversation","version":1,"events":[\n';
  for (const event of events) {
    yield separator + JSON.stringify(event);
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]}\n' : `${separator}]}\n`;
}
