import type { SessionTotals } from '../../models/AgentEvent.js';
import type { TurnRequest } from '../AgentAdapter.js';
import { type ReaderEvent, sessionEvents, type TurnReader, type Verdict } from '../dialect/Dialect.js';
import { createExitExplainer, failedWith } from '../dialect/failures.js';
import {
  fieldOf,
  inputDetail,
  isRecord,
  listOf,
  lookUp,
  numberOf,
  resultDetail,
  resultText,
  summarizeValue,
  textOf,
  toolDetail,
  type UnknownRecord,
} from '../dialect/records.js';
import {
  blockOf,
  createTableReader,
  dispatch,
  endBlock,
  type Handler,
  ignore,
  ReaderState,
  type ToolKinds,
} from '../dialect/tableReader.js';
import { readClaudeUsage, readCutUsage, StreamedUsage } from './usage.js';

class ClaudeState extends ReaderState {
  totalsBefore: SessionTotals | undefined;
  readonly streamedUsage = new StreamedUsage();
  readonly tools = new Map<string, { readonly name: string; readonly input: unknown }>();
  sessionId: string | undefined;
  /** The mark of its last message: its sessions can be forked there. */
  mark: string | undefined;
  /** Deltas have been passed on that no whole block has settled yet. */
  isWriting = false;
  hasText = false;
  /** The service's word for the last API error, for instance `authentication_failed`. */
  apiError: string | undefined;
}

/** Understands `claude -p --verbose --output-format stream-json`, with or without partial messages. */
export function createClaudeReader(request: Pick<TurnRequest, 'sessionTotals'>): TurnReader {
  const state = new ClaudeState();
  state.totalsBefore = request.sessionTotals;
  return createTableReader(handlers, state, () => (state.verdict ? [] : readCutUsage(state.streamedUsage)));
}

const handlers: Readonly<Record<string, Handler<ClaudeState>>> = {
  system: (record, state) => dispatch(systemHandlers, 'subtype', record, state),
  stream_event: (record, state) => {
    state.streamedUsage.add(fieldOf(record, 'event'));
    return isFromSubagent(record) ? [] : readStreamEvent(record, state);
  },
  assistant: readAssistant,
  user: (record, state) =>
    listOf(fieldOf(record, 'message'), 'content').flatMap((block) => readToolResult(block, record, state)),
  result: readResult,
};

const systemHandlers: Readonly<Record<string, Handler<ClaudeState>>> = {
  init: noteSession,
  api_retry: (record, state) => [
    ...endBlock(state, 'text-reset'),
    {
      type: 'retry',
      message: textOf(record, 'error') ?? '',
      attempt: numberOf(record, 'attempt'),
      maxAttempts: numberOf(record, 'max_retries'),
      status: numberOf(record, 'error_status'),
      waitMilliseconds: numberOf(record, 'retry_delay_ms'),
    },
  ],
  status: ignore,
  thinking_tokens: ignore,
  ui_invalidate: ignore,
  // The refused tool's own result says the same.
  permission_denied: ignore,
  task_started: ignore,
  task_notification: ignore,
};

function noteSession(record: UnknownRecord, state: ClaudeState): ReaderEvent[] {
  const sessionId = textOf(record, 'session_id');
  if (sessionId === state.sessionId) return [];
  state.sessionId = sessionId;
  return sessionEvents(sessionId, { model: textOf(record, 'model') });
}

/** Raw events of the API. They only preview: the block itself comes whole in an `assistant` record. */
function readStreamEvent(record: UnknownRecord, state: ClaudeState): ReaderEvent[] {
  const event = fieldOf(record, 'event');
  const isAbandoned = fieldOf(record, 'abandoned_blocks') !== undefined;
  if (isAbandoned || textOf(event, 'type') === 'message_start') return endBlock(state, 'text-reset');
  const text = textOf(fieldOf(event, 'delta'), 'text');
  if (!text) return [];
  state.isWriting = true;
  return [{ type: 'text-delta', text }];
}

function readAssistant(record: UnknownRecord, state: ClaudeState): ReaderEvent[] {
  const blocks = listOf(fieldOf(record, 'message'), 'content');
  if (fieldOf(record, 'is_api_error_message') === true) {
    state.apiError = textOf(record, 'error');
    state.heldError = blocks.map((block) => textOf(block, 'text') ?? '').join(' ') || undefined;
    return [];
  }
  if (!isFromSubagent(record)) state.mark = textOf(record, 'uuid');
  const handlersOfBlock = isFromSubagent(record) ? subagentBlockHandlers : blockHandlers;
  return blocks.filter(isRecord).flatMap((block) => dispatch(handlersOfBlock, 'type', block, state));
}

const blockHandlers: Readonly<Record<string, Handler<ClaudeState>>> = {
  text: (block, state) => {
    const text = textOf(block, 'text');
    if (!text) return [];
    state.isWriting = false;
    state.hasText = true;
    return [{ type: 'text', text }];
  },
  thinking: (block) => blockOf('thinking', textOf(block, 'thinking')),
  redacted_thinking: ignore,
  tool_use: (block, state) => {
    const toolId = textOf(block, 'id') ?? '';
    const name = textOf(block, 'name') ?? 'tool';
    const input = fieldOf(block, 'input');
    state.tools.set(toolId, { name, input });
    const kind = lookUp(toolKinds, name) ?? 'other';
    return [
      { type: 'tool-start', toolId, name, input: summarizeValue(input), kind },
      ...inputDetail(toolId, kind, input),
    ];
  },
};

const toolKinds: ToolKinds = {
  Read: 'read',
  NotebookRead: 'read',
  Grep: 'search',
  Glob: 'search',
  LS: 'search',
  ToolSearch: 'search',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Bash: 'execute',
  BashOutput: 'execute',
  KillShell: 'execute',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  Task: 'think',
  TodoWrite: 'think',
  EnterPlanMode: 'switch_mode',
  ExitPlanMode: 'switch_mode',
};

/** Handlers for an agent's own sub-agents: their text is work, not the answer. */
const subagentBlockHandlers: typeof blockHandlers = { ...blockHandlers, text: ignore, thinking: ignore };

function readToolResult(block: unknown, record: UnknownRecord, state: ClaudeState): ReaderEvent[] {
  // Other blocks are notes that Claude writes to itself, for instance about an interruption.
  if (textOf(block, 'type') !== 'tool_result') return [];
  const toolId = textOf(block, 'tool_use_id') ?? '';
  const ok = fieldOf(block, 'is_error') !== true;
  const { name, input } = state.tools.get(toolId) ?? { name: 'tool', input: undefined };
  const content = fieldOf(block, 'content');
  const texts = listOf(block, 'content').map((part) => textOf(part, 'text') ?? '');
  const result = summarizeValue(Array.isArray(content) ? texts.join(' ') : content);
  const report = fieldOf(record, 'tool_use_result');
  return [
    ...(ok ? readWrite(toolId, report) : []),
    ...resultDetail(toolId, resultText(content), result),
    { type: 'tool-end', toolId, name, ok, result },
    ...(ok ? readFileChange(report) : noteUnasked(name, input, result)),
  ];
}

/** In this mode it denies what it would have to ask about. Only an entry that covers no more than that is suggested. */
function noteUnasked(name: string, input: unknown, result: string): ReaderEvent[] {
  if (!UNASKED.test(result)) return [];
  const command = textOf(input, 'command');
  const entry = command === undefined ? name : `${name}(${command})`;
  const isExact =
    command === undefined ? lookUp(toolKinds, name) === undefined : /^[^*:\n\r]+$/u.test(command);
  return isExact ? [{ type: 'warning', about: { code: 'denied-unasked', entry } }] : [];
}

/** Its words for a tool that it would have asked a person about. */
const UNASKED = /requires approval|haven't granted/iu;

/** Write answers with what the file held before, which its input does not say. */
function readWrite(toolId: string, report: unknown): ReaderEvent[] {
  const path = textOf(report, 'filePath');
  const newText = textOf(report, 'content');
  const oldText = textOf(report, 'originalFile');
  if (path === undefined || newText === undefined || oldText === undefined) return [];
  return toolDetail(toolId, { diffs: [{ path, oldText, newText }] });
}

/** Write and Edit answer with the path and a patch; Write also says whether the file is new. */
function readFileChange(result: unknown): ReaderEvent[] {
  const path = textOf(result, 'filePath');
  if (!path || !Array.isArray(fieldOf(result, 'structuredPatch'))) return [];
  return [{ type: 'file-change', path, change: textOf(result, 'type') === 'create' ? 'add' : 'update' }];
}

/** The one record that decides. The answer is repeated in it, and with other output formats it is only here. */
function readResult(record: UnknownRecord, state: ClaudeState): ReaderEvent[] {
  state.verdict = judgeResult(record, state.apiError);
  const answer = textOf(record, 'result');
  const isOnlyHere = state.verdict.ok && !state.hasText && answer;
  return [
    ...noteSession(record, state),
    ...(state.mark === undefined ? [] : sessionEvents(state.sessionId, { mark: state.mark })),
    ...(isOnlyHere ? [{ type: 'text', text: answer } as const] : []),
    readClaudeUsage(record, state.totalsBefore, state.streamedUsage),
  ];
}

function isFromSubagent(record: UnknownRecord): boolean {
  return typeof fieldOf(record, 'parent_tool_use_id') === 'string';
}

const outdated = { reason: 'outdated-agent', label: 'Claude Code' } as const;

export const explainClaudeExit = createExitExplainer([
  [
    /No conversation found|No message found with message\.uuid/i,
    { code: 'SESSION_UNKNOWN', reason: 'session-unknown' },
  ],
  [
    // Versions before these options cannot take the new system text on resume, or fork at a place.
    /^error: unknown option '--(?:system-prompt-snapshot|resume-session-at)'/,
    { code: 'SESSION_UNKNOWN', ...outdated },
  ],
  [/cannot be used with root/i, { code: 'AGENT_ERROR', reason: 'root-refused' }],
  [/^error: unknown option/i, { code: 'AGENT_ERROR', ...outdated }],
]);

/** Older versions know none or only one of the options for it. */
export function refusesSystemText(stderr: string): boolean {
  return /^error: unknown option '--append-system-prompt(?:-file)?'/mu.test(stderr);
}

/** Ends that Claude describes for its developers only. */
const interruptions = { aborted_streaming: 'answer', aborted_tools: 'tool' } as const;

/**
 * Judges the final record by `is_error`, since errors of the service come as `subtype: "success"`. `apiError`
 * is the word for the last of those, for instance `authentication_failed`.
 */
export function judgeResult(result: UnknownRecord, apiError: string | undefined): Verdict {
  const isError = fieldOf(result, 'is_error');
  if (isError === false || (isError === undefined && textOf(result, 'subtype') === 'success'))
    return { ok: true };
  const errors = listOf(result, 'errors').filter((error) => typeof error === 'string');
  const during = lookUp(interruptions, fieldOf(result, 'terminal_reason'));
  if (during) return { ok: false, failure: { code: 'AGENT_ERROR', reason: 'agent-interrupted', during } };
  const message = textOf(result, 'result') ?? errors.join('; ');
  const known = explainClaudeExit({ stderr: message });
  if (known) return { ok: false, failure: known };
  return failedWith({
    message,
    status: numberOf(result, 'api_error_status'),
    isAuth: apiError === 'authentication_failed',
  });
}
