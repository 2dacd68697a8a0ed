import { type ConversationFact, EVENT_VERSION, type RecordedEvent } from '../models/ConversationEvent.js';
import { requireWritable } from './requireWritable.js';

/** Gives facts their place in the log: the next numbers, and one time for all of them. */
export function numberFacts(
  facts: readonly ConversationFact[],
  lastSeq: number,
  at: number,
): RecordedEvent[] {
  return facts.map(
    (fact, index) => ({ ...fact, v: EVENT_VERSION, seq: lastSeq + index + 1, at }) as RecordedEvent,
  );
}

/** The same events, as long as each can be written down and has the number after the one before. */
export function* requireNext(events: Iterable<RecordedEvent>, lastSeq: number): Iterable<RecordedEvent> {
  let expected = lastSeq;
  for (const event of events) {
    expected++;
    if (event.seq !== expected)
      throw new RangeError(`Event ${event.seq} came where ${expected} was expected`);
    requireWritable(event);
    yield event;
  }
}
