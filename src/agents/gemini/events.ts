import type { TurnUsage } from '../../models/AgentEvent.js';
import { sessionEvents } from '../dialect/argumentValue.js';
import type { ReaderEvent, TurnReader, Verdict } from '../dialect/Dialect.js';
import { failedWith, messageOf } from '../dialect/failures.js';
import { fieldOf, lookUp, textOf, type UnknownRecord } from '../dialect/records.js';
import { summarizeValue } from '../dialect/summarizeValue.js';
import {
  createTableReader,
  endBlock,
  type Handler,
  ReaderState,
  type ToolKinds,
} from '../dialect/tableReader.js';
import { inputDetail, resultDetail } from '../dialect/toolDetail.js';
import { tokensOf } from '../dialect/usage.js';
import { isGeminiLoginMessage } from './failures.js';

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
