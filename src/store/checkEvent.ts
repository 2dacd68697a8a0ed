import type { RecordedEvent } from '../models/ConversationEvent.js';
import { conversationEventSchema } from './eventSchema.js';

/** An event, or why a value is none. */
export type CheckedEvent =
  | { readonly event: RecordedEvent; readonly fault?: undefined }
  | { readonly fault: string };

/** Checks a value of unknown origin. The event holds what was checked and no other field, in the order in which it came. */
export function checkEvent(value: unknown): CheckedEvent {
  const { data, error } = conversationEventSchema.safeParse(value);
  if (error !== undefined) {
    const [issue] = error.issues;
    const path = issue?.path.join('.') ?? '';
    return {
      fault:
        path === '' || path === 'type' ? 'it is no event of a conversation' : `${path}: ${issue?.message}`,
    };
  }
  if (data.type === 'turn-progress') return { fault: 'what was only shown is not part of a log' };
  return { event: pick(value, data) as RecordedEvent };
}

/** What a value has of the fields of another one that was made from it. */
function pick(value: unknown, known: unknown): unknown {
  if (Array.isArray(known))
    return known.map((item, index) => pick((value as readonly unknown[])[index], item));
  if (typeof known !== 'object' || known === null) return known;
  const fields = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(fields).filter((key) => Object.hasOwn(known, key));
  return Object.fromEntries(
    keys.map((key) => [key, pick(fields[key], (known as Readonly<Record<string, unknown>>)[key])]),
  );
}
