import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { EventFault } from '../models/errors.js';
import { conversationEventSchema } from './eventSchema.js';

/** An event, or why a value is none. */
export type CheckedEvent =
  | { readonly event: RecordedEvent; readonly fault?: undefined }
  | { readonly fault: EventFault };

/** Otherwise zod makes code of each schema first, which gains 0.7 µs an event, and takes as long as 10,000 of them. */
const WITHOUT_CODE = { jitless: true };

/** Checks a value of unknown origin. The event is the value itself: a later version may have added fields. */
export function checkEvent(value: unknown): CheckedEvent {
  const { data, error } = conversationEventSchema.safeParse(value, WITHOUT_CODE);
  if (error !== undefined) {
    const [issue] = error.issues;
    const path = issue?.path.join('.') ?? '';
    return { fault: path === '' || path === 'type' ? 'no-event' : { path, problem: String(issue?.message) } };
  }
  if (data.type === 'turn-progress' || data.type === 'files-progress') return { fault: 'only-shown' };
  return { event: value as RecordedEvent };
}

/**
 * Whether a value is an event as Huddle wrote it before its first release, when notices and failures were sentences, and two
 * events had other names. Asked of every event: a schema would take as long as the check itself.
 */
export function isOlderEvent(value: unknown): boolean {
  const { type, text, result } = fieldsOf(value);
  if (type === 'brief-changed' || type === 'human-awaited') return true;
  if (type === 'notice') return typeof text === 'string';
  return type === 'turn-end' && typeof fieldsOf(fieldsOf(result).failure).message === 'string';
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
