import { z } from 'zod';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { EventFault } from '../models/errors.js';
import { conversationEventSchema } from './eventSchema.js';

/** An event, or why a value is none. */
export type CheckedEvent =
  | { readonly event: RecordedEvent; readonly fault?: undefined }
  | { readonly fault: EventFault };

/** Checks a value of unknown origin. The event is the value itself: a later version may have added fields. */
export function checkEvent(value: unknown): CheckedEvent {
  const { data, error } = conversationEventSchema.safeParse(value);
  if (error !== undefined) {
    const [issue] = error.issues;
    const path = issue?.path.join('.') ?? '';
    return { fault: path === '' || path === 'type' ? 'no-event' : { path, problem: String(issue?.message) } };
  }
  if (data.type === 'turn-progress' || data.type === 'files-progress') return { fault: 'only-shown' };
  return { event: value as RecordedEvent };
}

/** Before the first release, notices and failures were sentences, and two events had other names. */
const olderEvent = z.union([
  z.object({ type: z.enum(['brief-changed', 'human-awaited']) }),
  z.object({ type: z.literal('notice'), text: z.string() }),
  z.object({
    type: z.literal('turn-end'),
    result: z.object({ failure: z.object({ message: z.string() }) }),
  }),
]);

/** Whether a value is an event as Huddle wrote it before its first release. */
export function isOlderEvent(value: unknown): boolean {
  return olderEvent.safeParse(value).success;
}
