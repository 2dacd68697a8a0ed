import type { SessionTotals, TurnUsage, UsageEvent } from '../../models/AgentEvent.js';
import { NO_TOKENS } from '../../models/usageFigures.js';
import type { ReaderEvent, Verdict } from '../dialect/Dialect.js';
import { addToTotals, addUsage, amountOf, sinceTotals, tokensOf } from '../dialect/failures.js';
import {
  fieldOf,
  isRecord,
  listOf,
  summarizeValue,
  textOf,
  toOneLine,
  type UnknownRecord,
} from '../dialect/records.js';
import { blockOf, dispatch, endBlock, type Handler, ignore } from '../dialect/tableReader.js';
import { ToolCalls } from './toolCalls.js';

/** Characters of a text that stands on a line of its own. */
const TEXT_LENGTH = 500;

/** Understands the `session/update` notifications of one turn. */
export class UpdateReader {
  readonly tools = new ToolCalls();
  /** Deltas have been passed on that no block has settled yet. */
  isWriting = false;
  /** The id of the message that is being written, where the agent gives one. */
  messageId: string | undefined;
  /** The requests to the model that were told of one by one, together. */
  tokens: TurnUsage | undefined;
  /** Cost of the whole session. */
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

/** Reads from the answer to `session/prompt` how the turn went. `undefined`: it does not say. */
export function readStopReason(answer: unknown): Verdict | undefined {
  const reason = textOf(answer, 'stopReason');
  if (reason === undefined) return undefined;
  if (reason === 'end_turn') return { ok: true };
  const stopReason = summarizeValue(reason);
  return { ok: false, failure: { code: 'AGENT_ERROR', reason: 'stopped-early', stopReason } };
}

/**
 * The cost of the turn: from `usage` of the answer, if there is one, else from the count that some agents put into
 * `_meta`, else from the updates.
 */
export function readUsage(
  answer: unknown,
  { tokens: told, sessionUsd }: Pick<UpdateReader, 'tokens' | 'sessionUsd'>,
  before: SessionTotals | undefined,
): UsageEvent | undefined {
  const quota = fieldOf(fieldOf(answer, '_meta'), 'quota');
  const tokens = readTokens(fieldOf(answer, 'usage')) ?? readTokens(fieldOf(quota, 'token_count')) ?? told;
  if (tokens === undefined && sessionUsd === undefined) return undefined;
  const usage = tokens ?? NO_TOKENS;
  if (sessionUsd === undefined) return { type: 'usage', usage };
  return {
    type: 'usage',
    usage: { ...usage, usd: sinceTotals(sessionUsd, before?.usd) },
    sessionTotals: addToTotals(before, usage, sessionUsd),
  };
}

/** Some count thoughts apart from what the model wrote, so the sum decides. */
function readTokens(count: unknown): TurnUsage | undefined {
  if (!isRecord(count)) return undefined;
  const read = (...names: readonly string[]): number =>
    tokensOf(count, names.find((name) => Object.hasOwn(count, name)) ?? '');
  const cachedInputTokens = read('cachedReadTokens', 'cachedInputTokens', 'cached_input_tokens');
  const written = read('cachedWriteTokens', 'cacheWriteInputTokens', 'cache_write_input_tokens');
  const total = read('totalTokens', 'total_tokens');
  const outputTokens = read('outputTokens', 'output_tokens');
  const fresh = read('inputTokens', 'input_tokens');
  // Most count what came from or went into the cache apart; where the sum has no room for it, it is in the input already.
  const isApart = total === 0 || fresh + cachedInputTokens + written + outputTokens <= total;
  const inputTokens = isApart ? fresh + cachedInputTokens + written : fresh;
  return { inputTokens, cachedInputTokens, outputTokens: Math.max(outputTokens, total - inputTokens) };
}
