import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import type { Frames } from '../wire.js';

/** A recorded event as it stands in the stream. */
export function frameOfEvent(event: RecordedEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A frame that is no recorded event: it has no number, so that it is nothing to resume after. */
export function frameOf<Name extends keyof Frames>(name: Name, data: Frames[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
