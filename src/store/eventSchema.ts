import { z } from 'zod';
import { type ConversationEvent, EVENT_VERSION, type RecordedEvent } from '../models/ConversationEvent.js';
import type { EventFault, ImportFault } from '../models/errors.js';
import { PROGRESS } from '../models/schema/agentEvents.js';
import { FACTS } from '../models/schema/events.js';
import { memberId, number, oneOf, turnId, unite, variantsOf } from '../models/schema/fields.js';
import { NOTICE, NOTICES } from '../models/schema/notices.js';

const v = z.literal(EVENT_VERSION);
const at = number.describe('Epoch milliseconds.');
const seq = number.describe('Counts up from 1 without gaps; the order of things, which `at` is not.');
const recorded = { v, seq, at };
const progress = {
  'turn-progress': { turnId, memberId, event: oneOf('type', PROGRESS) },
  'files-progress': {
    files: number.describe('Number of files that were looked at.'),
    isDone: z.literal(true).optional().describe('The look is over, be it that it was stopped.'),
  },
};

/** A line of `--output-format stream-json`, and a row of the log. */
export const conversationEventSchema = unite('type', [
  ...variantsOf('type', FACTS, recorded),
  oneOf('code', NOTICES, { ...NOTICE, ...recorded }),
  ...variantsOf('type', progress, { v, at }),
]) as z.ZodType<ConversationEvent>;

/** The same as a JSON Schema, for programs that read the events. A reader should pass over fields it does not know. */
export function createEventJsonSchema(): object {
  return {
    description: 'One event of a Huddle conversation: a line of `huddle run --output-format stream-json`.',
    ...z.toJSONSchema(conversationEventSchema, { io: 'input' }),
  };
}

/** An event, or why a value is none. */
export type CheckedEvent =
  | { readonly event: RecordedEvent; readonly fault?: undefined }
  | { readonly fault: EventFault };

const MAX_DEPTH = 64;

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

/** The same for a value that somebody else wrote, who may mean harm. */
export function checkRecord(
  value: unknown,
): { readonly event: RecordedEvent; readonly fault?: undefined } | { readonly fault: ImportFault } {
  const fault = findFault(value, MAX_DEPTH);
  if (fault !== null) return { fault };
  const checked = checkEvent(value);
  return checked.fault === undefined ? checked : { fault: { event: checked.fault } };
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

/** Finds what no schema should have to meet: deep nesting, a number past all bounds, a `__proto__` key. */
function findFault(value: unknown, depth: number): ImportFault | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'number-too-large';
  if (typeof value !== 'object' || value === null) return null;
  if (depth === 0) return { nesting: MAX_DEPTH };
  if (Object.hasOwn(value, '__proto__')) return 'proto-key';
  for (const field of Object.values(value)) {
    const fault = findFault(field, depth - 1);
    if (fault !== null) return fault;
  }
  return null;
}
