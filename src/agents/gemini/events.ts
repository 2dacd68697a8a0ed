import type { TurnUsage } from '../../models/AgentEvent.js';
import type { FailureFacts } from '../../models/TurnOutcome.js';
import {
  type ReaderEvent,
  sessionEvents,
  type TurnReader,
  type UnexplainedExit,
  type Verdict,
} from '../dialect/Dialect.js';
import { createExitExplainer, failedWith, messageOf, tokensOf } from '../dialect/failures.js';
import {
  fieldOf,
  inputDetail,
  lookUp,
  resultDetail,
  summarizeValue,
  textOf,
  type UnknownRecord,
} from '../dialect/records.js';
import {
  createTableReader,
  endBlock,
  type Handler,
  ReaderState,
  type ToolKinds,
} from '../dialect/tableReader.js';

interface Tool {
  readonly name: string;
  /** The file it is to write, if it writes one. */
  readonly path: string | undefined;
}

class GeminiState extends ReaderState {
  readonly tools = new Map<string, Tool>();
  /** Deltas have been passed on that no block has settled yet: Gemini never repeats them whole. */
  isWriting = false;
  sessionId: string | undefined;
  /** It has repeated the prompt and nothing else: the prompt is on its way into the session. */
  isAsked = false;
}

/** Understands `gemini --output-format stream-json`. */
export function createGeminiReader(): TurnReader {
  const state = new GeminiState();
  return createTableReader(handlers, state, () => (state.verdict ? [] : noteWork(state)));
}

const handlers: Readonly<Record<string, Handler<GeminiState>>> = {
  init: (record, state) => {
    state.sessionId = textOf(record, 'session_id');
    return sessionEvents(state.sessionId, { model: textOf(record, 'model') });
  },
  message: readMessage,
  tool_use: startTool,
  tool_result: endTool,
  error: (record) => [{ type: 'error', message: textOf(record, 'message') ?? '' }],
  result: readResult,
};

/** The prompt comes back as a message of the role `user`: it is not part of the answer. */
function readMessage(record: UnknownRecord, state: GeminiState): ReaderEvent[] {
  const text = textOf(record, 'content');
  const role = textOf(record, 'role');
  if (role === 'user') state.isAsked = true;
  if (role !== 'assistant' || !text) return [];
  const work = noteWork(state);
  if (fieldOf(record, 'delta') !== true)
    return [...work, ...endBlock(state, 'text-end'), { type: 'text', text }];
  state.isWriting = true;
  return [...work, { type: 'text-delta', text }];
}

/** It works on the prompt, or was stopped at it: the session has the prompt, unless the turn fails by itself. */
function noteWork(state: GeminiState): ReaderEvent[] {
  if (!state.isAsked) return [];
  state.isAsked = false;
  return sessionEvents(state.sessionId, { holdsPrompt: true });
}

const toolKinds: ToolKinds = {
  read_file: 'read',
  read_many_files: 'read',
  list_directory: 'search',
  glob: 'search',
  grep_search: 'search',
  search_file_content: 'search',
  write_file: 'edit',
  replace: 'edit',
  run_shell_command: 'execute',
  web_fetch: 'fetch',
  google_web_search: 'fetch',
  write_todos: 'think',
  invoke_agent: 'think',
  enter_plan_mode: 'switch_mode',
  exit_plan_mode: 'switch_mode',
};

function startTool(record: UnknownRecord, state: GeminiState): ReaderEvent[] {
  const toolId = textOf(record, 'tool_id') ?? '';
  const name = textOf(record, 'tool_name') ?? 'tool';
  const kind = lookUp(toolKinds, name) ?? 'other';
  const parameters = fieldOf(record, 'parameters');
  state.tools.set(toolId, {
    name,
    path: kind === 'edit' ? textOf(parameters, 'file_path') : undefined,
  });
  return [
    ...noteWork(state),
    ...endBlock(state, 'text-end'),
    { type: 'tool-start', toolId, name, input: summarizeValue(parameters), kind },
    ...inputDetail(toolId, kind, parameters),
  ];
}

function endTool(record: UnknownRecord, state: GeminiState): ReaderEvent[] {
  const toolId = textOf(record, 'tool_id') ?? '';
  const { name, path } = state.tools.get(toolId) ?? { name: 'tool', path: undefined };
  const ok = textOf(record, 'status') === 'success';
  const output = textOf(record, 'output') ?? textOf(fieldOf(record, 'error'), 'message') ?? '';
  const result = summarizeValue(output);
  return [
    ...endBlock(state, 'text-end'),
    ...resultDetail(toolId, output, result),
    { type: 'tool-end', toolId, name, ok, result },
    ...(ok && path ? [{ type: 'file-change', path, change: 'update' } as const] : []),
  ];
}

/**
 * The text before an error stays what it was: a beginning. What the failed request added to the session is taken
 * back, which is the prompt unless a tool was used since.
 */
function readResult(record: UnknownRecord, state: GeminiState): ReaderEvent[] {
  state.verdict = judge(record);
  const stats = fieldOf(record, 'stats');
  return [
    ...(state.verdict.ok
      ? endBlock(state, 'text-end')
      : sessionEvents(state.sessionId, { holdsPrompt: state.tools.size > 0 })),
    ...(stats === undefined ? [] : [{ type: 'usage', usage: readUsage(stats) } as const]),
  ];
}

/** `"status": "success"`, or `"success": true` as the design documents spell it. */
function judge(record: UnknownRecord): Verdict {
  if (textOf(record, 'status') === 'success' || fieldOf(record, 'success') === true) return { ok: true };
  const message = messageOf(fieldOf(record, 'error'));
  return failedWith({ message, isAuth: isGeminiLoginMessage(message) });
}

/** Per run. What the model thought is in the total only, and is paid for like what it wrote. */
function readUsage(stats: unknown): TurnUsage {
  const inputTokens = tokensOf(stats, 'input_tokens');
  const outputTokens = tokensOf(stats, 'output_tokens');
  return {
    inputTokens,
    cachedInputTokens: tokensOf(stats, 'cached'),
    outputTokens: Math.max(outputTokens, tokensOf(stats, 'total_tokens') - inputTokens),
  };
}

export function isGeminiLoginMessage(message: string): boolean {
  return /UNAUTHENTICATED|PERMISSION_DENIED|API[_ ]key not valid|API_KEY_INVALID/i.test(message);
}

const loginNeeded = { code: 'AUTH', reason: 'login-needed' } as const;

const explain = createExitExplainer([
  [/^Error resuming session/i, { code: 'SESSION_UNKNOWN', reason: 'session-unknown' }],
  [/set an Auth method|GEMINI_API_KEY environment variable|Invalid auth method/i, loginNeeded],
  [
    /^(?:Unknown argument|Invalid values)/i,
    { code: 'AGENT_ERROR', reason: 'outdated-agent', label: 'Gemini CLI' },
  ],
]);

/** Its exit codes with a meaning of their own; most others are an HTTP status modulo 256. */
const authExitCode = 41;

export function explainGeminiExit(exit: UnexplainedExit): FailureFacts | undefined {
  return explain(exit) ?? (exit.exitCode === authExitCode ? loginNeeded : undefined);
}
