import type { FileChangeEvent, SessionTotals } from '../../models/AgentEvent.js';
import type { TurnRequest } from '../AgentAdapter.js';
import { type ReaderEvent, sessionEvents, type TurnReader } from '../dialect/Dialect.js';
import {
  believedTotals,
  createExitExplainer,
  eachToken,
  failedWith,
  sinceTotals,
  statusIn,
  tokensOf,
} from '../dialect/failures.js';
import {
  fieldOf,
  isRecord,
  listOf,
  lookUp,
  numberOf,
  resultDetail,
  resultText,
  summarizeValue,
  textOf,
  type UnknownRecord,
} from '../dialect/records.js';
import {
  blockOf,
  createTableReader,
  dispatch,
  type Handler,
  ignore,
  ReaderState,
  type ToolKinds,
} from '../dialect/tableReader.js';

class CodexState extends ReaderState {
  totalsBefore: SessionTotals | undefined;
  /** Items that were announced: a command that failed at once may come only as completed. */
  readonly startedItems = new Set<string>();
  /** The thread, until the turn has begun in it. */
  untoldSession: string | undefined;
}

/** Understands `codex exec --json`. */
export function createCodexReader(request: Pick<TurnRequest, 'sessionTotals'>): TurnReader {
  const state = new CodexState();
  state.totalsBefore = request.sessionTotals;
  return createTableReader(handlers, state, ({ untoldSession }) => sessionEvents(untoldSession));
}

const handlers: Readonly<Record<string, Handler<CodexState>>> = {
  'thread.started': (record, state) => {
    state.untoldSession = textOf(record, 'thread_id');
    return [];
  },
  // The prompt is in the thread from here on, and stays there whatever becomes of the turn.
  'turn.started': (_, state) => {
    const sessionId = state.untoldSession;
    state.untoldSession = undefined;
    return sessionEvents(sessionId, { holdsPrompt: true });
  },
  'item.started': (record, state) => dispatchItem(startedHandlers, record, state),
  'item.updated': (record, state) => dispatchItem(updatedHandlers, record, state),
  'item.completed': (record, state) => dispatchItem(completedHandlers, record, state),
  error: (record, state) => readNotice(textOf(record, 'message') ?? '', state),
  'turn.completed': (record, state) => {
    state.verdict = { ok: true };
    return [readUsage(fieldOf(record, 'usage'), state)];
  },
  'turn.failed': (record, state) => {
    const message = textOf(fieldOf(record, 'error'), 'message') ?? '';
    state.verdict = failedWith({ message, isAuth: isCodexLoginMessage(message) });
    return [];
  },
};

function dispatchItem(
  table: Readonly<Record<string, Handler<CodexState>>>,
  record: UnknownRecord,
  state: CodexState,
): ReaderEvent[] {
  const item = fieldOf(record, 'item');
  return isRecord(item) ? dispatch(table, 'type', item, state) : [{ type: 'raw', record }];
}

const updatedHandlers: Readonly<Record<string, Handler<CodexState>>> = {
  command_execution: ignore,
  mcp_tool_call: ignore,
  web_search: ignore,
  agent_message: ignore,
  reasoning: ignore,
  todo_list: readTodoList,
};

const startedHandlers: typeof updatedHandlers = {
  ...updatedHandlers,
  command_execution: startTool,
  mcp_tool_call: startTool,
  web_search: startTool,
  file_change: ignore,
};

const completedHandlers: typeof updatedHandlers = {
  agent_message: (item) => blockOf('text', textOf(item, 'text')),
  reasoning: (item) => blockOf('thinking', textOf(item, 'text')),
  command_execution: endTool,
  mcp_tool_call: endTool,
  web_search: endTool,
  file_change: readFileChanges,
  todo_list: readTodoList,
  // A warning, for instance about a setting: the turn continues.
  error: (item) => [{ type: 'error', message: textOf(item, 'message') ?? '' }],
};

/** By the kind of item; what a server's own tool does is unknown. */
const toolKinds: ToolKinds = { command_execution: 'execute', web_search: 'fetch' };

function startTool(item: UnknownRecord, state: CodexState): ReaderEvent[] {
  const toolId = textOf(item, 'id') ?? '';
  state.startedItems.add(toolId);
  const kind = lookUp(toolKinds, fieldOf(item, 'type')) ?? 'other';
  return [{ type: 'tool-start', toolId, name: toolName(item), input: toolInput(item), kind }];
}

function endTool(item: UnknownRecord, state: CodexState): ReaderEvent[] {
  const toolId = textOf(item, 'id') ?? '';
  const exitCode = numberOf(item, 'exit_code') ?? 0;
  const ok = textOf(item, 'status') !== 'failed' && exitCode === 0 && !isRecord(fieldOf(item, 'error'));
  const output = toolResult(item);
  const result = summarizeValue(output);
  return [
    ...(state.startedItems.has(toolId) ? [] : startTool(item, state)),
    ...resultDetail(toolId, resultText(output), result),
    { type: 'tool-end', toolId, name: toolName(item), ok, result },
  ];
}

/** Items have a kind and no tool name: a command is `command`, another server's tool is `server.tool`. */
function toolName(item: UnknownRecord): string {
  const server = textOf(item, 'server');
  if (server !== undefined) return `${server}.${textOf(item, 'tool') ?? ''}`;
  return textOf(item, 'command') === undefined ? 'web_search' : 'command';
}

function toolInput(item: UnknownRecord): string {
  return summarizeValue(textOf(item, 'command') ?? textOf(item, 'query') ?? fieldOf(item, 'arguments') ?? '');
}

function toolResult(item: UnknownRecord): unknown {
  const error = textOf(fieldOf(item, 'error'), 'message');
  return error ?? textOf(item, 'aggregated_output') ?? fieldOf(item, 'result') ?? '';
}

const changes: readonly FileChangeEvent['change'][] = ['add', 'update', 'delete'];

function readFileChanges(item: UnknownRecord): ReaderEvent[] {
  if (textOf(item, 'status') === 'failed')
    return [{ type: 'warning', about: { code: 'file-change-failed' } }];
  return listOf(item, 'changes').flatMap((entry) => {
    const path = textOf(entry, 'path');
    const change = changes.find((each) => each === fieldOf(entry, 'kind')) ?? 'update';
    return path ? [{ type: 'file-change' as const, path, change }] : [];
  });
}

function readTodoList(item: UnknownRecord): ReaderEvent[] {
  const items = listOf(item, 'items').map((entry) => ({
    text: textOf(entry, 'text') ?? '',
    done: fieldOf(entry, 'completed') === true,
  }));
  return [{ type: 'todo-list', items }];
}

/** A bare `error` never ends the turn: it says that Codex tries again, or what `turn.failed` is about to say. */
function readNotice(message: string, state: CodexState): ReaderEvent[] {
  const retry = /^Reconnecting\.\.\. (?<attempt>\d+)\/(?<max>\d+)(?: \((?<reason>.*)\))?$/s.exec(
    message,
  )?.groups;
  if (!retry) {
    state.heldError = message;
    return [];
  }
  return [
    {
      type: 'retry',
      message: retry.reason ?? message,
      attempt: Number(retry.attempt),
      maxAttempts: Number(retry.max),
      status: statusIn(message),
    },
  ];
}

/** Codex counts over the whole thread; a fork begins with the count of its parent. */
function readUsage(reported: unknown, { totalsBefore: before }: CodexState): ReaderEvent {
  const totals: SessionTotals = {
    inputTokens: tokensOf(reported, 'input_tokens'),
    cachedInputTokens: tokensOf(reported, 'cached_input_tokens'),
    outputTokens: tokensOf(reported, 'output_tokens'),
  };
  return {
    type: 'usage',
    usage: eachToken((kind) => sinceTotals(totals[kind], before?.[kind])),
    sessionTotals: believedTotals(totals, before),
  };
}

/** Codex has no word for it apart from the sentence. */
export function isCodexLoginMessage(message: string): boolean {
  return /Unauthorized|Missing environment variable|codex login|(?:log|sign) in again|not logged in/i.test(
    message,
  );
}

export const explainCodexExit = createExitExplainer([
  [
    /^Error: thread\/(?:resume|fork).*failed|no rollout found/i,
    { code: 'SESSION_UNKNOWN', reason: 'session-unknown' },
  ],
  [/^(?:Error: )?not logged in|codex login/i, { code: 'AUTH', reason: 'login-needed' }],
  [
    /^error: (?:unexpected argument|unrecognized subcommand)|unknown feature flag/i,
    { code: 'AGENT_ERROR', reason: 'outdated-agent', label: 'Codex' },
  ],
  [
    /^Error loading config/i,
    { code: 'AGENT_ERROR', reason: 'bad-agent-settings', label: 'Codex', file: 'config.toml' },
  ],
]);
