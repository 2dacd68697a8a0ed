import { z } from 'zod';
import { MOST_TOKENS, MOST_USD } from '../usageFigures.js';
import { failure } from './failures.js';
import { arrayOf, boolean, number, oneOf, record, text } from './fields.js';

const tokens = z.int().min(0).max(MOST_TOKENS);

/** What a turn used. */
export const USAGE = {
  inputTokens: tokens.describe('Everything the model read, the cached part included.'),
  cachedInputTokens: tokens.describe("The part of `inputTokens` that came from the vendor's cache."),
  outputTokens: tokens.describe('Everything the model wrote, thoughts included.'),
  usd: number.min(0).max(MOST_USD).optional().describe('Absent when nobody knows.'),
};

/** The change of one file. */
export const FILE_DIFF = {
  path: text,
  oldText: text.nullable().describe('Null for a file that is new.'),
  newText: text,
};

/** What a decision about a permission request is based on. */
export const PERMISSION = {
  toolId: text.optional().describe('The tool call it is about, if the agent has told of one.'),
  kind: text.describe('As in tool-start.'),
  title: text.describe("The agent's own words."),
  command: text.optional().describe('What would be run, in full; a list of words is joined and quoted.'),
  paths: arrayOf(text).describe(
    'Relative to the working folder if they are in it, else absolute. A link, and where it leads.',
  ),
  isInFolder: boolean.describe('None of the files is outside the working folder, links resolved.'),
  diffs: arrayOf(record(FILE_DIFF))
    .optional()
    .describe('What would change. Absent if there is nothing to show, or more than can be shown.'),
  arguments: text.optional().describe('What else the tool is given, as JSON.'),
};

/** What Huddle noticed about a turn that went on all the same, by `code`. */
export const WARNINGS = {
  'exit-after-answer': { command: text, exitCode: number.optional(), signal: text.optional() },
  'lines-skipped': { command: text, lines: number },
  'system-text-in-prompt': {},
  'file-change-failed': {},
};

/** What an agent did during a turn and people may want to see later. */
export const ACTIVITIES = {
  session: {
    sessionId: text.describe("The agent's own session; may come more than once."),
    model: text.optional(),
    mark: text.optional().describe('The place in the session, for agents that can fork it there.'),
    holdsPrompt: boolean
      .optional()
      .describe(
        'Whether it has the prompt of this turn, and keeps it if the turn is cut off. Absent: not known.',
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
    status: number.optional().describe('HTTP status, where the agent says it.'),
    waitMilliseconds: number.optional(),
  },
  error: { message: text.describe("The agent's own words.") },
  warning: { about: oneOf('code', WARNINGS) },
};

/** What an agent is saying just now. */
export const PROGRESS = {
  'text-delta': { text },
  text: { text },
  'text-reset': {},
  thinking: { text },
  usage: { usage: record(USAGE), sessionTotals: record(USAGE).optional() },
  raw: { record: z.unknown() },
};

const draft = text.describe('What had arrived until then.');

/** How a turn ends that did not complete. */
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
  interrupted: { draft: draft.describe('Huddle itself ended while the turn was running.') },
};
