import { z } from 'zod';
import { arrayOf, memberId, messageId, number, record, text } from './fields.js';

/** What every notice has. */
export const NOTICE = { type: z.literal('notice') };

/** What people should know, by `code`. */
export const NOTICES = {
  'unknown-addressee': {
    messageId,
    unknown: arrayOf(record({ name: text, nearest: text.optional() })).describe('The first of them.'),
    more: number.optional().describe('How many others there are.'),
  },
  'self-addressed': { messageId, memberId },
  'too-many-addressees': {
    messageId,
    max: number,
    memberIds: arrayOf(memberId).describe('Those who are not asked.'),
  },
  'queue-full': {
    messageId,
    max: number,
    memberIds: arrayOf(memberId).describe('Those who are not queued.'),
  },
  'marker-in-open-fence': { messageId },
  'claimed-from': { messageId, memberId, claimed: text },
  'task-from-agent': { messageId, memberId },
  'no-agent': { messageId },
  'empty-reply': { memberId },
  'usage-unknown': { memberId },
  'prompt-trimmed': { memberId, cutBytes: number },
  'session-lost': {
    memberId,
    because: z
      .enum(['refused', 'cut-off'])
      .describe('The agent did not take it up; or a turn was cut off, and it is unclear what it holds.'),
  },
  'session-not-forked': { memberId },
  'turn-interrupted': { memberId },
  'members-gone': { memberIds: arrayOf(memberId) },
  'lease-taken-over': { pid: number, host: text },
};
