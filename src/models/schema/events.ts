import { z } from 'zod';
import type { ConversationMessage } from '../ConversationMessage.js';
import { ACTIVITIES, UNFINISHED, USAGE } from './agentEvents.js';
import {
  arrayOf,
  boolean,
  conversationId,
  memberId,
  messageId,
  number,
  oneOf,
  record,
  text,
  turnId,
} from './fields.js';
import { CHANGED_BY, fileChange, GIT_CHANGE } from './files.js';

/** Programs that use the library may keep fields of their own in their messages. */
const message: z.ZodType<ConversationMessage> = z.looseObject({
  id: messageId.refine((id) => id !== '', 'must not be empty'),
  content: text.describe('The raw text, markers included.'),
  speaker: z.object({
    roleId: text.min(1),
    roleName: text,
    roleTitle: text.optional(),
    type: z.enum(['human', 'ai', 'system']),
  }),
  timestamp: number.describe('Epoch milliseconds.'),
  routing: z
    .object({ resolvedAddressees: arrayOf(text).optional(), claimedFrom: text.optional() })
    .optional(),
  via: z
    .object({ kind: z.enum(['mcp', 'acp']), name: text })
    .optional()
    .describe('The program through which it came. Absent: typed into Huddle, or written by a member.'),
  machine: text
    .optional()
    .describe(
      'The role on whose machine an agent answered, in a shared store, if another one began the conversation. Made when it is read.',
    ),
});

export const MEMBER_SUMMARY = {
  id: memberId,
  name: text,
  type: z.enum(['human', 'ai']),
  title: text.optional(),
  agentType: text.optional(),
  model: text.optional().describe('The model that the team file names.'),
  permission: z.enum(['read', 'edit', 'full']).optional(),
  isHeld: z
    .literal(false)
    .optional()
    .describe(
      'Its program is not the one of its type that keeps to a permission: it runs with the rights of the user.',
    ),
  check: z.boolean().optional().describe('It runs after every turn that changed files.'),
  role: text
    .optional()
    .describe('The role of a shared store that speaks as this person, if it is not the name.'),
};

export const TEAM_SUMMARY = { name: text, members: arrayOf(record(MEMBER_SUMMARY)) };

/** Everything that shapes a member's prompts and is not said in the conversation. */
export const PROFILE = {
  agentName: text,
  agentType: text,
  promptsOf: text.optional().describe('The type whose prompts it gets, if not its own.'),
  systemInstruction: text.describe('The preamble and the text from the team file.'),
  instructionFileText: text.optional(),
  memory: z.enum(['window', 'session']),
  window: number,
  visibility: z.enum(['all', 'addressed']),
  guard: z.enum(['on', 'off', 'fence']),
  memberNames: arrayOf(text),
  maxBytes: number,
  tellFiles: z
    .enum(['names', 'diff', 'nothing'])
    .optional()
    .describe('What it is told of changed files. Absent: nothing.'),
};

/** Everything else that a team file says about a member, and that decides what its agent can do. */
export const SETTINGS = {
  model: text.optional(),
  permission: z.enum(['read', 'edit', 'full']),
  allow: arrayOf(text),
  deny: arrayOf(text),
  env: z.enum(['inherit', 'minimal']),
  credentials: arrayOf(text).optional().describe('Names of variables, never their values.'),
  command: record({
    program: text.describe('The last part of its path.'),
    sha256: text.describe('SHA-256 of the list of words, as JSON: the words may hold secrets.'),
  }).optional(),
  output: z.enum(['text', 'json-lines']).optional(),
  workspace: z.enum(['shared', 'copy']).optional(),
  check: boolean.optional(),
};

/** A turn that waits: who is to speak, because of which message, about which message. */
export const QUEUED_TURN = {
  turnId,
  memberId,
  triggeredBy: messageId,
  about: messageId.optional().describe('The message the turn is about, if not the latest.'),
  blindRound: turnId
    .optional()
    .describe('Turns of one blind round run at the same time and are revealed together.'),
  retryOf: turnId.optional().describe('The unfinished turn that this one retries.'),
  checks: turnId.optional().describe('Of a check: the turn whose changes it checks.'),
};

/** Neighbouring messages, both ends included. */
export const MESSAGE_RUN = { first: messageId, last: messageId };

/** The prompt that was sent, described so that it can be made again from the log and be checked. */
export const SENT_PROMPT = {
  bytes: number.describe('Bytes of prompt and system prompt together.'),
  sha256: text.describe('SHA-256 of the system prompt, a NUL, and the prompt; in hexadecimal.'),
  latestMessageId: messageId.describe('The latest message when the prompt was made.'),
  about: messageId.optional(),
  lastSeenMessageId: messageId.optional(),
  nonce: text.optional(),
  session: z.enum(['new', 'resume', 'fork']),
  omitsSystemText: boolean
    .optional()
    .describe('The resumed session already has the system prompt, so it was left out.'),
  omitsTask: boolean
    .optional()
    .describe('The resumed session already has the team task, so it was left out.'),
  afterCutOff: boolean
    .optional()
    .describe('The session has the prompt of a turn that was cut off, so that was not sent again.'),
  missed: arrayOf(record(MESSAGE_RUN))
    .optional()
    .describe(
      'Messages a member with session memory was not sent for lack of room; sent when there is room.',
    ),
};

export const DECISION_MAKERS = {
  person: { memberId },
  'team-file': {},
  permission: {},
  nobody: {},
  size: {},
};

export const PAUSES = {
  asked: {},
  reopened: {},
  cancelled: {},
  limit: {
    limit: z.enum(['agentTurns', 'pairTurns', 'sameAnswer', 'checkRounds', 'tokens', 'usd']),
    count: number,
    max: number,
  },
  reader: { memberId, turnId },
};

export const RECORDED_USAGE = {
  ...USAGE,
  price: z
    .enum(['reported', 'estimated', 'unknown'])
    .describe('Source of `usd`: the agent, the prices of the team file, or unknown.'),
  sessionTotals: record(USAGE).optional().describe('Totals to hand to the next turn in the same session.'),
};

/** As the outcome of a turn, with the answer as the message it became. */
export const RESULTS = {
  completed: { messageId: messageId.nullable().describe('Null for an empty reply.') },
  ...UNFINISHED,
};

/** Everything that is recorded, by `type`, but for notices. */
export const FACTS = {
  'conversation-start': {
    conversationId,
    team: record(TEAM_SUMMARY),
    isRehearsal: boolean,
    replayOf: text.optional().describe('The conversation or recording whose questions are asked again.'),
    redacted: z
      .literal(true)
      .optional()
      .describe('Secrets and folders are masked: it may be shown to others.'),
  },
  'conversation-forked': {
    from: conversationId.describe(
      'The conversation that it continues. All facts before this one are a copy.',
    ),
    upTo: number.describe('The place of the last fact of that conversation that was copied.'),
    messageId: messageId.optional().describe('The last message that was copied.'),
    importedUpTo: number
      .optional()
      .describe('The place of the last copied fact that had been imported; absent: none.'),
  },
  'message-added': {
    message,
    turnId: turnId.optional().describe('The turn that wrote it; absent for people.'),
    by: text.optional().describe('The role of a shared store that said it.'),
  },
  'task-changed': { task: text.nullable() },
  'title-changed': {
    title: text.nullable().describe('Null: the title is the beginning of the first message again.'),
  },
  'profile-changed': {
    memberId,
    profile: record(PROFILE).describe(
      "Everything that shapes a member's prompts and is not in the conversation.",
    ),
    sha256: text.describe('SHA-256 of the profile.'),
    systemSha256: text.describe('SHA-256 of the system prompt in it.'),
    settings: record(SETTINGS).optional().describe('Absent in logs of earlier versions.'),
  },
  'turns-queued': {
    turns: arrayOf(record(QUEUED_TURN)),
    place: z.enum(['front', 'back']).describe('People go first.'),
  },
  'turns-dropped': { turnIds: arrayOf(turnId) },
  'turn-start': {
    ...QUEUED_TURN,
    prompt: record(SENT_PROMPT),
    copy: z.literal(true).optional().describe('It works in a copy of the folder, its own.'),
    runsOn: text
      .optional()
      .describe('Role of the workers that run it. Absent: it runs on the machine of the log.'),
  },
  'turn-activity': { turnId, memberId, event: oneOf('type', ACTIVITIES) },
  'permission-decided': {
    turnId,
    memberId,
    requestId: text,
    decision: z
      .enum(['allowed', 'denied', 'cancelled'])
      .describe('cancelled: the turn ended before a decision.'),
    by: oneOf('kind', DECISION_MAKERS),
    allowEntry: text
      .optional()
      .describe('Denied by nobody: the entry of `allow` that would have covered the request, if one does.'),
  },
  'turn-end': {
    turnId,
    memberId,
    result: oneOf('kind', RESULTS),
    milliseconds: number,
    usage: record(RECORDED_USAGE).optional(),
    sessionId: text.optional().describe("The agent's own session, if it has one."),
    sessionMark: text.optional().describe('Where in that session the turn ended.'),
    sessionHoldsPrompt: boolean
      .optional()
      .describe('Of an unfinished turn: whether that session has its prompt. Absent: unknown.'),
    exitCode: number.optional().describe('Of a completed turn of a command.'),
  },
  'files-recorded': {
    by: oneOf('kind', CHANGED_BY),
    copyOf: memberId.optional().describe('In the copy of this member, not in the working folder.'),
    files: arrayOf(fileChange).describe('Empty: nothing changed.'),
    unlisted: number.optional().describe('Number of changed files beyond those in `files`.'),
    patch: text.optional().describe('The lines, as a unified diff; paths as in `files`.'),
    patchIsCut: z.literal(true).optional(),
    git: record(GIT_CHANGE).optional(),
    isLate: z
      .literal(true)
      .optional()
      .describe('Recorded after the time it is of, so it may hold changes of others.'),
    overlaps: arrayOf(text).optional().describe('Turns of other conversations that ran in this folder.'),
  },
  'waiting-for-human': {
    memberIds: arrayOf(memberId),
    named: boolean.describe('An agent asked them by name.'),
  },
  'conversation-pause': { reason: oneOf('kind', PAUSES) },
  'conversation-resume': {
    pastLimit: boolean.describe('A person chose to exceed the limit, so its counter restarts at 0.'),
  },
};
