import type { ToolEndEvent } from '../../models/AgentEvent.js';
import type { LineBlock } from './Block.js';
import type { RunningTool } from './LiveTurn.js';

/** A finished tool call; numbered over the whole conversation, so that people can ask for one. */
export interface ToolCall {
  readonly number: number;
  readonly name: string;
  readonly input: string;
  readonly ok: boolean;
  readonly result: string;
}

const KEPT_CALLS = 500;

export function addToolCall(calls: readonly ToolCall[], call: ToolCall): readonly ToolCall[] {
  return [...calls, call].slice(-KEPT_CALLS);
}

export function finishTool(tool: RunningTool, { ok, result }: ToolEndEvent): ToolCall {
  return { number: tool.number, name: tool.name, input: tool.input, ok, result };
}

/** A tool call in one line; `/expand` prints the rest. */
export function summarizeToolCall({ number, name, input, ok, result }: ToolCall): LineBlock {
  return {
    kind: 'line',
    icon: ok ? '✓' : '✗',
    tone: ok ? 'good' : 'bad',
    text: `${name} ${input}`.trim(),
    ...(result.trim() !== '' && { detail: result }),
    aside: `#${number}`,
  };
}
