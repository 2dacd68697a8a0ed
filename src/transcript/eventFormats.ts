import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { formatJson } from '../utils/formatJson.js';

/**
 * Formats events as JSON lines, one event a line: what `importConversation` reads.
 *
 * @example
 * ```ts
 * for await (const line of formatEventLines(conversation.history())) process.stdout.write(line);
 * ```
 */
export async function* formatEventLines(events: AnyIterable<RecordedEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${formatJson(event)}\n`;
}

/** The log as one JSON document, piece by piece, an event a line. */
export async function* formatEventDocument(events: AnyIterable<RecordedEvent>): AsyncGenerator<string> {
  let separator = '{"format":"huddle-conversation","version":1,"events":[\n';
  for await (const event of events) {
    yield separator + formatJson(event);
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]}\n' : `${separator}]}\n`;
}
