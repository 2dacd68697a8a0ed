import { utf8Length } from '../../utils/bytes.js';
import type { TurnEvent } from '../Dialect.js';
import { fieldOf, isRecord, listOf, numberOf, textOf } from '../records.js';
import { toOneLine } from '../summarize.js';
import { dispatch, type Handler, ignore } from '../tableReader.js';
import { ToolCalls } from './toolCalls.js';

/** Of what stands on a line of its own. */
const TEXT_LENGTH = 500;

/** A longer answer is cut, with a mark. */
const MAX_ANSWER_CHARACTERS = 64 * 1024 * 1024;

interface UpdateState {
  readonly tools: ToolCalls;
  /** The block of answer that is being written, and the id of its message where the agent gives one. */
  block: string[];
  messageId: string | undefined;
  characters: number;
  cutBytes: number;
  sessionUsd: number | undefined;
}

/** Understands the `session/update` notifications of one turn. */
export interface UpdateReader {
  /** The events of one update, in order. Never throws, whatever it is. */
  read(update: unknown): TurnEvent[];
  /** The rest of the answer: the last block is over when the turn is. */
  end(): TurnEvent[];
  readonly tools: ToolCalls;
  /** What the agent says its whole session has cost. */
  readonly sessionUsd: number | undefined;
}

export function createUpdateReader(): UpdateReader {
  const state: UpdateState = {
    tools: new ToolCalls(),
    block: [],
    messageId: undefined,
    characters: 0,
    cutBytes: 0,
    sessionUsd: undefined,
  };
  return {
    tools: state.tools,
    read: (update) =>
      isRecord(update)
        ? dispatch(handlers, 'sessionUpdate', update, state)
        : [{ type: 'raw', record: update }],
    end: () => settle(state),
    get sessionUsd() {
      return state.sessionUsd;
    },
  };
}

const handlers: Readonly<Record<string, Handler<UpdateState>>> = {
  agent_message_chunk: (update, state) => {
    const text = textOf(fieldOf(update, 'content'), 'text');
    if (text === undefined || text === '') return [];
    const messageId = textOf(update, 'messageId');
    const before = messageId === state.messageId ? [] : settle(state);
    state.messageId = messageId;
    if (state.characters > MAX_ANSWER_CHARACTERS) {
      state.cutBytes += utf8Length(text);
      return before;
    }
    state.characters += text.length;
    state.block.push(text);
    return [...before, { type: 'text-delta', text }];
  },
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
    const amount = textOf(cost, 'currency') === 'USD' ? numberOf(cost, 'amount') : undefined;
    // Agents that know no price say that it costs nothing.
    if (amount) state.sessionUsd = amount;
    return [];
  },
  user_message_chunk: ignore,
  available_commands_update: ignore,
  current_mode_update: ignore,
  config_option_update: ignore,
  session_info_update: ignore,
};

function readPlan(plan: unknown): TurnEvent {
  const items = listOf(plan, 'entries').map((entry) => ({
    text: toOneLine(textOf(entry, 'content') ?? '', TEXT_LENGTH),
    done: textOf(entry, 'status') === 'completed',
  }));
  return { type: 'todo-list', items };
}

/** What is said before a tool and after it are two blocks. */
function readToolCall(update: Parameters<Handler<UpdateState>>[0], state: UpdateState): TurnEvent[] {
  return [...settle(state), ...state.tools.read(update)];
}

function settle(state: UpdateState): TurnEvent[] {
  const mark = state.cutBytes === 0 ? '' : `\n[… ${state.cutBytes} bytes cut]`;
  const text = `${state.block.join('')}${mark}`;
  state.block = [];
  state.cutBytes = 0;
  return text === '' ? [] : [{ type: 'text', text }];
}
