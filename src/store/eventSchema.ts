import { z } from 'zod';
import { type ConversationEvent, EVENT_VERSION } from '../models/ConversationEvent.js';
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
