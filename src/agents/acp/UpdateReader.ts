import type { TurnUsage } from '../../models/AgentEvent.js';
import type { ReaderEvent } from '../dialect/Dialect.js';
import { addUsage, amountOf } from '../dialect/failures.js';
import { fieldOf, listOf, textOf, toOneLine, type UnknownRecord } from '../dialect/records.js';
import { blockOf, dispatch, endBlock, type Handler, ignore } from '../dialect/tableReader.js';
import { type ReportedUpdates, readTokens } from './promptAnswer.js';
import { ToolCalls } from './toolCalls.js';

/** Characters of a text that stands on a line of its own. */
const TEXT_LENGTH = 500;

/** Understands the `session/update` notifications of one turn. */
export class UpdateReader implements ReportedUpdates {
  readonly tools = new ToolCalls();
  /** Deltas have been passed on that no block has settled yet. */
  isWriting = false;
  /** The id of the message that is being written, where the agent gives one. */
  messageId: string | undefined;
  tokens: TurnUsage | undefined;
  sessionUsd: number | undefined;

  /** The events of one update, in order. Never throws, whatever it is. */
  read(update: unknown): ReaderEvent[] {
    return dispatch(handlers, 'sessionUpdate', update, this);
  }

  /** The rest of the answer: the last block is over when the turn is. */
  end(): ReaderEvent[] {
    return endBlock(this, 'text-end');
  }
}

const handlers: Readonly<Record<string, Handler<UpdateReader>>> = {
  agent_message_chunk: (update, reader) => [...readText(update, reader), ...readRequestUsage(update, reader)],
  agent_thought_chunk: (update) => blockOf('thinking', textOf(fieldOf(update, 'content'), 'text')),
  tool_call: readToolCall,
  tool_call_update: readToolCall,
  plan: (update) => [readPlan(update)],
  plan_update: (update) => [readPlan(fieldOf(update, 'plan'))],
  notice: (update) => {
    const parts = [textOf(update, 'title'), textOf(update, 'description')].filter(Boolean);
    return [{ type: 'error', message: toOneLine(parts.join(': '), TEXT_LENGTH) }];
  },
  usage_update: (update, reader) => {
    const cost = fieldOf(update, 'cost');
    const amount = textOf(cost, 'currency') === 'USD' ? amountOf(cost, 'amount') : undefined;
    // Agents that know no price say that it costs nothing.
    if (amount !== undefined && amount !== 0) reader.sessionUsd = amount;
    return [];
  },
  user_message_chunk: ignore,
  available_commands_update: ignore,
  current_mode_update: ignore,
  config_option_update: ignore,
  session_info_update: ignore,
};

function readText(update: UnknownRecord, reader: UpdateReader): ReaderEvent[] {
  const text = textOf(fieldOf(update, 'content'), 'text');
  if (text === undefined || text === '') return [];
  const messageId = textOf(update, 'messageId');
  const before = messageId === reader.messageId ? [] : endBlock(reader, 'text-end');
  reader.messageId = messageId;
  reader.isWriting = true;
  return [...before, { type: 'text-delta', text }];
}

/** Qwen Code tells after each request to the model what it used, and the answer to the prompt does not. */
function readRequestUsage(update: UnknownRecord, reader: UpdateReader): ReaderEvent[] {
  const tokens = readTokens(fieldOf(fieldOf(update, '_meta'), 'usage'));
  if (tokens === undefined) return [];
  reader.tokens = reader.tokens === undefined ? tokens : addUsage(reader.tokens, tokens);
  // At once, because a turn that is cut off has no answer.
  return [{ type: 'usage', usage: reader.tokens }];
}

function readPlan(plan: unknown): ReaderEvent {
  const items = listOf(plan, 'entries').map((entry) => ({
    text: toOneLine(textOf(entry, 'content') ?? '', TEXT_LENGTH),
    done: textOf(entry, 'status') === 'completed',
  }));
  return { type: 'todo-list', items };
}

/** Text before a tool and text after it are two blocks. */
function readToolCall(update: UnknownRecord, reader: UpdateReader): ReaderEvent[] {
  return [...endBlock(reader, 'text-end'), ...reader.tools.read(update)];
}
