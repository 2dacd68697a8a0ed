import { z } from 'zod';
import { type ConversationEvent, EVENT_VERSION } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import type { ConversationId, MemberId, MessageId, TurnId } from '../models/ids.js';
import { MOST_TOKENS, MOST_USD } from '../models/usageFigures.js';

/** An id is a string; its kind exists for the compiler only, which is why it has to be told. */
function idOf<Id extends string>() {
  return z.string() as unknown as z.ZodType<Id>;
}

const conversationId = idOf<ConversationId>();
const memberId = idOf<MemberId>();
const messageId = idOf<MessageId>();
const turnId = idOf<TurnId>();
const text = z.string();
const number = z.number();

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

const tokens = z.int().min(0).max(MOST_TOKENS);
const usageShape = {
  inputTokens: tokens.describe('Everything the model read, the cached part included.'),
  cachedInputTokens: tokens,
  outputTokens: tokens.describe('Everything the model wrote, thoughts included.'),
  usd: number.min(0).max(MOST_USD).optional().describe('Absent when nobody knows.'),
};
const usage = z.object(usageShape);

/** Programs that use the library may keep fields of their own in their messages. */
const message: z.ZodType<ConversationMessage> = z.looseObject({
  id: messageId.refine((id) => id !== '', 'must not be empty'),
  content: text.describe('The raw text as it was said, markers included.'),
  speaker: z.object({
    roleId: text.min(1),
    roleName: text,
    roleTitle: text.optional(),
    type: z.enum(['human', 'ai', 'system']),
  }),
  timestamp: number.describe('Epoch milliseconds.'),
  routing: z
    .object({
      resolvedAddressees: listOf(text).optional(),
      claimedFrom: text.optional(),
    })
    .optional(),
});

const activity = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session'),
    sessionId: text,
    model: text.optional(),
    mark: text.optional(),
    holdsPrompt: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('tool-start'),
    toolId: text,
    name: text,
    input: text,
    kind: text
      .optional()
      .describe('read, edit, delete, move, search, execute, think, fetch, switch_mode, other.'),
  }),
  z.object({ type: z.literal('tool-end'), toolId: text, name: text, ok: z.boolean(), result: text }),
  z.object({ type: z.literal('file-change'), path: text, change: z.enum(['add', 'update', 'delete']) }),
  z.object({
    type: z.literal('todo-list'),
    items: listOf(z.object({ text, done: z.boolean() })),
  }),
  z.object({
    type: z.literal('permission-request'),
    requestId: text,
    name: text,
    input: text.describe('What it is about, in short, on one line.'),
    isOpen: z.boolean().optional().describe('A person is asked. Otherwise the decision follows at once.'),
    toolId: text.optional(),
    kind: text.optional().describe('As in tool-start.'),
    title: text.optional().describe("The agent's own words."),
    command: text.optional().describe('What would be run, in full.'),
    paths: listOf(text)
      .optional()
      .describe('Relative to the working folder if they are in it, else absolute.'),
    isInFolder: z.boolean().optional(),
    diffs: listOf(z.object({ path: text, oldText: text.nullable(), newText: text }))
      .optional()
      .describe('What would change. Absent if there is nothing to show, or more than can be shown.'),
    arguments: text.optional().describe('What else the tool is given, as JSON.'),
  }),
  z.object({
    type: z.literal('retry'),
    message: text,
    attempt: number.optional(),
    maxAttempts: number.optional(),
    status: number.optional(),
    waitMilliseconds: number.optional(),
  }),
  z.object({ type: z.literal('error'), message: text }),
]);

const progress = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text-delta'), text }),
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('text-reset') }),
  z.object({ type: z.literal('thinking'), text }),
  z.object({ type: z.literal('usage'), usage, sessionTotals: usage.optional() }),
  z.object({ type: z.literal('raw'), record: z.unknown() }),
]);

const failure = z.object({
  code: z.enum([
    'AGENT_MISSING',
    'SPAWN',
    'AUTH',
    'AGENT_ERROR',
    'SESSION_UNKNOWN',
    'PROMPT_BUDGET',
    'NO_FINAL_EVENT',
    'LINE_TOO_LONG',
  ]),
  message: text,
  hint: text,
  stderrTail: text.optional(),
});

const result = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed'), messageId: messageId.nullable() }),
  z.object({ kind: z.literal('failed'), failure, draft: text }),
  z.object({ kind: z.literal('cancelled'), draft: text }),
  z.object({
    kind: z.literal('timed-out'),
    limit: z.enum(['idle', 'total', 'progress']),
    milliseconds: number,
    draft: text,
  }),
  z.object({ kind: z.literal('interrupted'), draft: text }),
]);

const pauseReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('asked') }),
  z.object({ kind: z.literal('reopened') }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({
    kind: z.literal('limit'),
    limit: z.enum(['agentTurns', 'pairTurns', 'sameAnswer', 'tokens', 'usd']),
    count: number,
    max: number,
  }),
]);

const queuedTurnShape = {
  turnId,
  memberId,
  triggeredBy: messageId,
  about: messageId.optional(),
  blindRound: turnId.optional(),
  retryOf: turnId.optional().describe('The turn that did not complete and is asked for again.'),
};

const brief = z.object({
  agentName: text,
  agentType: text,
  promptsOf: text.optional(),
  systemInstruction: text,
  instructionFileText: text.optional(),
  memory: z.enum(['window', 'session']),
  window: number,
  visibility: z.enum(['all', 'addressed']),
  guard: z.enum(['on', 'off', 'fence']),
  memberNames: listOf(text),
  maxBytes: number,
});

const recorded = {
  v: z.literal(EVENT_VERSION),
  seq: number.describe('Counts up from 1 without gaps; the order of things, which `at` is not.'),
  at: number.describe('Epoch milliseconds.'),
};

/** One line of `--output-format stream-json`, and one row of the log. */
export const conversationEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('conversation-start'),
    conversationId,
    team: z.object({
      name: text,
      members: listOf(
        z.object({
          id: memberId,
          name: text,
          type: z.enum(['human', 'ai']),
          title: text.optional(),
          agentType: text.optional(),
          permission: z.enum(['read', 'edit', 'full']).optional(),
        }),
      ),
    }),
    isRehearsal: z.boolean(),
    ...recorded,
  }),
  z.object({ type: z.literal('message-added'), message, turnId: turnId.optional(), ...recorded }),
  z.object({ type: z.literal('task-changed'), task: text.nullable(), ...recorded }),
  z.object({
    type: z.literal('brief-changed'),
    memberId,
    brief: brief.describe("Everything that shapes a member's prompts and is not said in the conversation."),
    sha256: text,
    systemSha256: text,
    ...recorded,
  }),
  z.object({
    type: z.literal('turns-queued'),
    turns: listOf(z.object(queuedTurnShape)),
    place: z.enum(['front', 'back']),
    ...recorded,
  }),
  z.object({ type: z.literal('turns-dropped'), turnIds: listOf(turnId), ...recorded }),
  z.object({
    type: z.literal('turn-start'),
    ...queuedTurnShape,
    prompt: z.object({
      bytes: number,
      sha256: text,
      latestMessageId: messageId,
      about: messageId.optional(),
      lastSeenMessageId: messageId.optional(),
      nonce: text.optional(),
      session: z.enum(['new', 'resume', 'fork']),
      omitsSystemText: z.boolean().optional(),
      afterCutOff: z
        .boolean()
        .optional()
        .describe('The session has the prompt of a turn that was cut off, so that was not sent again.'),
      missed: listOf(z.object({ first: messageId, last: messageId }))
        .optional()
        .describe('Of a member with session memory: what there was no room for, and is sent when there is.'),
    }),
    ...recorded,
  }),
  z.object({ type: z.literal('turn-activity'), turnId, memberId, event: activity, ...recorded }),
  z.object({
    type: z.literal('permission-decided'),
    turnId,
    memberId,
    requestId: text,
    decision: z.enum(['allowed', 'denied', 'cancelled']),
    by: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('person'), memberId }),
      z.object({ kind: z.literal('team-file') }),
      z.object({ kind: z.literal('permission') }),
      z.object({ kind: z.literal('nobody') }),
      z.object({ kind: z.literal('size') }),
    ]),
    ...recorded,
  }),
  z.object({
    type: z.literal('turn-end'),
    turnId,
    memberId,
    result,
    milliseconds: number,
    usage: z
      .object({
        ...usageShape,
        price: z.enum(['reported', 'estimated', 'unknown']),
        sessionTotals: usage.optional(),
      })
      .optional(),
    sessionId: text.optional(),
    sessionMark: text.optional().describe('Where in that session the turn ended.'),
    sessionHoldsPrompt: z
      .boolean()
      .optional()
      .describe('Of a turn that did not complete: whether that session has its prompt. Absent: not known.'),
    ...recorded,
  }),
  z.object({
    type: z.literal('notice'),
    code: z.enum([
      'unknown-addressee',
      'self-addressed',
      'too-many-addressees',
      'queue-full',
      'marker-in-open-fence',
      'claimed-from',
      'task-from-agent',
      'empty-reply',
      'usage-unknown',
      'prompt-trimmed',
      'session-lost',
      'session-not-forked',
      'turn-interrupted',
      'lease-taken-over',
      'no-agent',
    ]),
    text,
    messageId: messageId.optional(),
    memberId: memberId.optional(),
    ...recorded,
  }),
  z.object({
    type: z.literal('human-awaited'),
    memberIds: listOf(memberId),
    named: z.boolean(),
    ...recorded,
  }),
  z.object({ type: z.literal('conversation-pause'), reason: pauseReason, ...recorded }),
  z.object({ type: z.literal('conversation-resume'), pastLimit: z.boolean(), ...recorded }),
  z.object({
    type: z.literal('turn-progress'),
    v: recorded.v,
    at: recorded.at,
    turnId,
    memberId,
    event: progress,
  }),
]) satisfies z.ZodType<ConversationEvent>;

/** The same as a JSON Schema, for programs that read the events. A reader should pass over fields it does not know. */
export function createEventJsonSchema(): object {
  return {
    description: 'One event of a Huddle conversation: a line of `huddle run --output-format stream-json`.',
    ...z.toJSONSchema(conversationEventSchema, { io: 'input' }),
  };
}
