import type { RecordedEvent } from '../models/ConversationEvent.js';
import { formatJson } from '../utils/formatJson.js';

/** The log itself, one event a line: what `importConversation` reads. */
export function* formatEventLines(events: Iterable<RecordedEvent>): Generator<string> {
  for (const event of events) yield `${formatJson(event)}\n`;
}

/** The log as one JSON document, piece by piece, an event a line. */
export function* formatEventDocument(events: Iterable<RecordedEvent>): Generator<string> {
  let separator = '{"format":"huddle-conversation","version":1,"events":[\n';
  for (const event of events) {
    yield separator + formatJson(event);
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]}\n' : `${separator}]}\n`;
}
