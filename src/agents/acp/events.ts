import type { TurnUsage } from '../../models/AgentEvent.js';
import type { ReaderEvent } from '../dialect/Dialect.js';
import { fieldOf, isRecord, listOf, textOf, type UnknownRecord } from '../dialect/records.js';
import { toOneLine } from '../dialect/summarizeValue.js';
import { dispatch, type Handler, ignore } from '../dialect/tableReader.js';
import { addUsage, amountOf } from '../dialect/usage.js';
import { type ReportedUpdates, readTokens } from './promptAnswer.js';
import { ToolCalls } from './toolCalls.js';

/** Of what stands on a line of its own. */
const TEXT_LENGTH = 500;

interface UpdateState {
  readonly tools: ToolCalls;
  /** Deltas have been passed on that no block has settled yet. */
  isWriting: boolean;
  /** The id of the message that is being written, where the agent gives one. */
  messageId: string | undefined;
  tokens: TurnUsage | undefined;
  sessionUsd: number | undefined;
}

/** Understands the `session/update` notifications of one turn. */
export interface UpdateReader {
  /** The events of one update, in order. Never throws, whatever it is. */
  read(update: unknown): ReaderEvent[];
  /** The rest of the answer: the last block is over when the turn is. */
  end(): ReaderEvent[];
  readonly tools: ToolCalls;
  /** What the agent has said about its usage so far. */
  readonly reported: ReportedUpdates;
}

export function createUpdateReader(): UpdateReader {
  const state: UpdateState = {
    tools: new ToolCalls(),
    isWriting: false,
    messageId: undefined,
    tokens: undefined,
    sessionUsd: undefined,
  };
  return {
    tools: state.tools,
    read: (update) =>
      isRecord(update)
        ? dispatch(handlers, 'sessionUpdate', update, state)
        : [{ type: 'raw', record: update }],
    end: () => settle(state),
    reported: state,
  };
}

const handlers: Readonly<Record<string, Handler<UpdateState>>> = {
  agent_message_chunk: (update, state) => [...readText(update, state), ...readRequestUsage(update, state)],
  agent_thought_chunk: (update) => {
    const text = textOf(fieldOf(update, 'content'), 'text');
    return text ? [{ type: 'thinking', text }] : [];
  },
  tool_call: readToolCall,
  tool_call_update: readToolCall,
  plan: (update) => [readPlan(update)],
  plan_update: (update) => [readPlan(fieldOf(update, 'plan'))],
  notice: (update) => {
    const parts = [textOf(update, 'title'), textOf(update, 'description')].filter(Boolean);
    return [{ type: 'error', message: toOneLine(parts.join(': '), TEXT_LENGTH) }];
  },
  usage_update: (update, state) => {
    const cost = fieldOf(update, 'cost');
    const amount = textOf(cost, 'currency') === 'USD' ? amountOf(cost, 'amount') : undefined;
    // Agents that know no price say that it costs nothing.
    if (amount !== undefined && amount !== 0) state.sessionUsd = amount;
    return [];
  },
  user_message_chunk: ignore,
  available_commands_update: ignore,
  current_mode_update: ignore,
  config_option_update: ignore,
  session_info_update: ignore,
};

function readText(update: UnknownRecord, state: UpdateState): ReaderEvent[] {
  const text = textOf(fieldOf(update, 'content'), 'text');
  if (text === undefined || text === '') return [];
  const messageId = textOf(update, 'messageId');
  const before = messageId === state.messageId ? [] : settle(state);
  state.messageId = messageId;
  state.isWriting = true;
  return [...before, { type: 'text-delta', text }];
}

/** Qwen Code tells after each request to the model what it used, and the answer to the prompt does not. */
function readRequestUsage(update: UnknownRecord, state: UpdateState): ReaderEvent[] {
  const tokens = readTokens(fieldOf(fieldOf(update, '_meta'), 'usage'));
  if (tokens === undefined) return [];
  state.tokens = state.tokens === undefined ? tokens : addUsage(state.tokens, tokens);
  // At once, because a turn that is cut off has no answer.
  return [{ type: 'usage', usage: state.tokens }];
}

function readPlan(plan: unknown): ReaderEvent {
  const items = listOf(plan, 'entries').map((entry) => ({
    text: toOneLine(textOf(entry, 'content') ?? '', TEXT_LENGTH),
    done: textOf(entry, 'status') === 'completed',
  }));
  return { type: 'todo-list', items };
}

/** What is said before a tool and after it are two blocks. */
function readToolCall(update: UnknownRecord, state: UpdateState): ReaderEvent[] {
  return [...settle(state), ...state.tools.read(update)];
}

function settle(state: UpdateState): ReaderEvent[] {
  if (!state.isWriting) return [];
  state.isWriting = false;
  return [{ type: 'text-end' }];
}
