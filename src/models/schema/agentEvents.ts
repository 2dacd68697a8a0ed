import { z } from 'zod';
import { MOST_TOKENS, MOST_USD } from '../usageFigures.js';
import { failure } from './failures.js';
import { arrayOf, boolean, number, oneOf, record, text } from './fields.js';

const tokens = z.int().min(0).max(MOST_TOKENS);

/** Usage of a turn. */
export const USAGE = {
  inputTokens: tokens.describe('Everything the model read, the cached part included.'),
  cachedInputTokens: tokens.describe("The part of `inputTokens` that came from the vendor's cache."),
  outputTokens: tokens.describe('Everything the model wrote, thoughts included.'),
  usd: number.min(0).max(MOST_USD).optional().describe('Absent if unknown.'),
};

/** The change of one file. */
export const FILE_DIFF = {
  path: text,
  oldText: text.nullable().describe('Null for a file that is new.'),
  newText: text,
};

/** A place in a file that a tool call is about. */
export const TOOL_LOCATION = { path: text, line: number.optional() };

/** Facts that a decision about a permission request is based on. */
export const PERMISSION = {
  toolId: text.optional().describe('The tool call it is about, if the agent reported one.'),
  kind: text.describe('As in tool-start.'),
  title: text.describe("The agent's own words."),
  command: text
    .optional()
    .describe('The command it wants to run, in full; a list of words is joined and quoted.'),
  paths: arrayOf(text).describe(
    'Relative to the working folder if they are in it, else absolute. A link, and its target.',
  ),
  isInFolder: boolean.describe(
    'None of the files is outside the working folder and the additional ones, links resolved.',
  ),
  diffs: arrayOf(record(FILE_DIFF))
    .optional()
    .describe('Changes of an edit. Absent if there are none, or too many to show.'),
  arguments: text.optional().describe("The tool's other input, as JSON."),
};

/** Observations of Huddle about a turn that continued all the same, by `code`. */
export const WARNINGS = {
  'exit-after-answer': { command: text, exitCode: number.optional(), signal: text.optional() },
  'lines-skipped': { command: text, lines: number },
  'system-text-in-prompt': {},
  'file-change-failed': {},
  'denied-unasked': {
    entry: text.describe('The entry of `allow` that would have let its tool run.'),
  },
  'servers-not-given': {
    servers: arrayOf(text).describe('Names of MCP servers.'),
    because: z.enum(['permission', 'agent']).describe('It may only read, or its agent cannot take them.'),
  },
};

/** Activities of an agent during a turn, recorded, by `type`. */
export const ACTIVITIES = {
  session: {
    sessionId: text.describe("The agent's own session; may come more than once."),
    model: text.optional(),
    mark: text.optional().describe('The place in the session, for agents that can fork it there.'),
    holdsPrompt: boolean
      .optional()
      .describe(
        'Whether it has the prompt of this turn, and keeps it if the turn is cut off. Absent: unknown.',
      ),
  },
  'tool-start': {
    toolId: text,
    name: text,
    input: text.describe('The input in short, one line.'),
    kind: text
      .optional()
      .describe('read, edit, delete, move, search, execute, think, fetch, switch_mode, other.'),
  },
  'tool-end': { toolId: text, name: text, ok: boolean, result: text.describe('The result in short.') },
  'file-change': { path: text, change: z.enum(['add', 'update', 'delete']) },
  'todo-list': { items: arrayOf(record({ text, done: boolean })) },
  'permission-request': {
    requestId: text,
    name: text,
    input: text.describe('What it is about, in short, on one line.'),
    isOpen: boolean.optional().describe('A person is asked. Otherwise the decision follows at once.'),
    ...z.object(PERMISSION).partial().shape,
  },
  retry: {
    message: text.describe("The agent's own words."),
    attempt: number.optional(),
    maxAttempts: number.optional(),
    status: number.optional().describe('HTTP status, if the agent reports it.'),
    waitMilliseconds: number.optional(),
  },
  error: { message: text.describe("The agent's own words.") },
  warning: { about: oneOf('code', WARNINGS) },
};

/** Words of an agent just now, by `type`. */
export const PROGRESS = {
  'text-delta': { text },
  text: { text },
  'text-reset': {},
  thinking: { text },
  'tool-detail': {
    toolId: text,
    title: text.optional().describe("The agent's own words."),
    locations: arrayOf(record(TOOL_LOCATION)).optional(),
    diffs: arrayOf(record(FILE_DIFF))
      .optional()
      .describe(
        'The changes it makes. `oldText` is null also if it is not known. Each text is cut at 256 KB.',
      ),
    output: text.optional().describe('Its whole result, cut at 256 KB.'),
  },
  waiting: {
    worker: text.describe('Role of the workers that are waited for.'),
    lastSeen: number
      .optional()
      .describe('Seconds since one was here. Absent: none ever was; 0: one is here.'),
    account: text.optional().describe('The account that has no free place.'),
    running: number.optional().describe('Turns that run on it.'),
    atOnce: number.optional().describe('Turns that may run on it at the same time.'),
    isOver: z.literal(true).optional().describe('A worker has taken the turn.'),
  },
  usage: { usage: record(USAGE), sessionTotals: record(USAGE).optional() },
  raw: { record: z.unknown() },
};

const draft = text.describe('The partial reply.');

/** Ends of a turn that did not complete, by `kind`. */
export const UNFINISHED = {
  failed: { failure, draft },
  cancelled: { draft },
  'timed-out': {
    limit: z
      .enum(['idle', 'total', 'progress'])
      .describe('No output at all; the whole turn; only retry notices.'),
    milliseconds: number,
    draft,
  },
  interrupted: {
    draft: draft.describe('Huddle itself exited while the turn was running, or its worker was lost.'),
    worker: text.optional().describe('The role of the worker that was lost. Absent: Huddle exited.'),
  },
};
