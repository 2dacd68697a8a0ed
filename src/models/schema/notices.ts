import { z } from 'zod';
import { arrayOf, boolean, memberId, messageId, number, record, text, turnId } from './fields.js';
import { NOT_RECORDED } from './files.js';

/** Fields of every notice. */
export const NOTICE = { type: z.literal('notice') };

const SOME_PATHS = {
  paths: arrayOf(text).describe('The first of them.'),
  more: number.optional().describe('Number of the others.'),
};

/** Notices for people, by `code`. */
export const NOTICES = {
  'unknown-addressee': {
    messageId,
    unknown: arrayOf(record({ name: text, nearest: text.optional() })).describe('The first of them.'),
    more: number.optional().describe('Number of the others.'),
  },
  'self-addressed': { messageId, memberId },
  'too-many-addressees': {
    messageId,
    max: number,
    memberIds: arrayOf(memberId).describe('Members that are skipped.'),
  },
  'queue-full': {
    messageId,
    max: number,
    memberIds: arrayOf(memberId).describe('Members that are not queued.'),
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
      .describe('The agent did not resume it; or a turn was cut off, and it is unclear what it holds.'),
  },
  'session-not-forked': { memberId },
  'turn-interrupted': { memberId },
  'worker-lost': { memberId, worker: text.describe('Role of the worker that ran the turn.') },
  'members-gone': { memberIds: arrayOf(memberId) },
  'lease-taken-over': {
    pid: number,
    host: text,
    continuedBy: text
      .optional()
      .describe('The process that continues it, as role and host: `kim@desk`. Only on a shared store.'),
  },
  'wish-refused': {
    role: text.describe('The role of a shared store that asked.'),
    wish: text.describe('Its kind, such as `say`.'),
    because: z
      .enum(['stranger', 'empty', 'unreadable'])
      .describe('No person of the team has the role; an empty message; or not a wish of this version.'),
  },
  'unproven-speaker': {
    messageId,
    memberId: memberId.describe('The person that the message claims to be from.'),
    by: text.optional().describe('The role that it claims to be from.'),
    recordedBy: text.describe('The role that recorded it.'),
  },
  'left-out': {
    recordedBy: text.describe('The role that recorded what is left out.'),
    because: z
      .enum(['stranger', 'unproven', 'unreadable'])
      .describe(
        'No person of its beginning has the role; the role cannot say this; or not an event of this version.',
      ),
    what: text.optional().describe('Type of the event; absent: it could not be read.'),
  },
  'files-not-recorded': {
    reason: z.enum(NOT_RECORDED),
    detail: text.optional().describe('What the system or git said, or the version of git.'),
  },
  'reader-changed-files': {
    memberId,
    turnId,
    ...SOME_PATHS,
    isReported: boolean.describe('Its own program named them; otherwise it may have been someone else.'),
  },
  'git-files-changed': { turnIds: arrayOf(turnId), ...SOME_PATHS, isGone: boolean.optional() },
  'file-collision': { path: text, memberIds: arrayOf(memberId) },
  'folder-shared': { turn: text.describe('The turn that runs there, and its conversation.'), pid: number },
  'copy-behind': { memberId, turnId, ...SOME_PATHS },
};
