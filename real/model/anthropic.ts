import { fieldOf, listOf, textOf } from '../../compiled/agents/dialect/records.js';
import { findServerTool, type ModelRequest } from './ModelRequest.js';
import { namedEvent, type Protocol } from './Protocol.js';
import { ANNOUNCEMENT, type SpokenReply, type ToolUse, USAGE } from './Reply.js';

type Block =
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: object };

/** The Messages API, as Claude Code speaks it. */
export const anthropic: Protocol = {
  serves: (path) => path.endsWith('/v1/messages'),
  read({ body, parsed }) {
    const messages = listOf(parsed, 'messages');
    const blocksOf = (role: string) =>
      messages.filter((message) => textOf(message, 'role') === role).flatMap(contentBlocks);
    return {
      model: textOf(parsed, 'model') ?? '',
      system: [...contentBlocks({ content: fieldOf(parsed, 'system') }), ...blocksOf('system')]
        .map((block) => textOf(block, 'text') ?? '')
        .join('\n'),
      userTexts: blocksOf('user').flatMap((block) => textOf(block, 'text') ?? []),
      toolResults: blocksOf('user')
        .filter((block) => textOf(block, 'type') === 'tool_result')
        .map((block) => JSON.stringify(fieldOf(block, 'content'))),
      tools: listOf(parsed, 'tools').map((tool) => ({ name: textOf(tool, 'name') ?? '' })),
      isSideQuestion: false,
      streams: fieldOf(parsed, 'stream') === true,
      body,
    };
  },
  stream(reply, request, id) {
    const { model } = request;
    const blocks = blocksFor(reply, request);
    const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null };
    const delta = { stop_reason: stopReason(reply), stop_sequence: null };
    return {
      opening: [namedEvent('message_start', { message: { ...message, usage: usage(1) } })],
      said: blocks.flatMap((block, index) => blockEvents(block, index, id)),
      closing: [
        namedEvent('content_block_stop', { index: blocks.length - 1 }),
        namedEvent('message_delta', { delta, usage: { output_tokens: USAGE.output } }),
        namedEvent('message_stop', {}),
      ],
    };
  },
  whole(reply, request, id) {
    const { model } = request;
    const content = blocksFor(reply, request).map((block, index) =>
      block.type === 'text'
        ? { type: 'text', text: block.pieces.join('') }
        : { ...block, id: toolId(id, index) },
    );
    return {
      ...{ id, type: 'message', role: 'assistant', model, content, stop_sequence: null },
      ...{ stop_reason: stopReason(reply), usage: usage(USAGE.output) },
    };
  },
  refusal: (status) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message: `made-up ${status}` },
  }),
};

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  429: 'rate_limit_error',
};

function contentBlocks(message: unknown): readonly unknown[] {
  const content = fieldOf(message, 'content');
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(message, 'content');
}

function blocksFor(reply: SpokenReply, request: ModelRequest): readonly Block[] {
  if (reply.kind === 'say') return [{ type: 'text', pieces: reply.pieces }];
  return [
    { type: 'text', pieces: [ANNOUNCEMENT] },
    { type: 'tool_use', ...toolCall(reply.tool, request) },
  ];
}

function toolCall(tool: ToolUse, request: ModelRequest): { name: string; input: object } {
  // It offers tools of servers when the model searches for them, and takes their names before that.
  if (tool.kind === 'call')
    return {
      name: findServerTool(request, tool.name)?.name ?? `mcp__huddle__${tool.name}`,
      input: tool.given,
    };
  return tool.kind === 'write'
    ? { name: 'Write', input: { file_path: tool.path, content: tool.text } }
    : { name: 'Bash', input: { command: tool.command, description: 'Run it' } };
}

/** Every block but the last one is closed here; the last one by the end of the message. */
function blockEvents(block: Block, index: number, id: string): string[] {
  const start = (content: object) => namedEvent('content_block_start', { index, content_block: content });
  const delta = (change: object) => namedEvent('content_block_delta', { index, delta: change });
  const before = index === 0 ? [] : [namedEvent('content_block_stop', { index: index - 1 })];
  if (block.type === 'text')
    return [
      ...before,
      start({ type: 'text', text: '' }),
      ...block.pieces.map((text) => delta({ type: 'text_delta', text })),
    ];
  return [
    ...before,
    start({ type: 'tool_use', id: toolId(id, index), name: block.name, input: {} }),
    delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }),
  ];
}

function toolId(id: string, index: number): string {
  return `toolu_${id}_${index}`;
}

function stopReason({ kind }: SpokenReply): string {
  return kind === 'say' ? 'end_turn' : 'tool_use';
}

/** What came from the cache is counted apart. */
function usage(output: number): object {
  return {
    input_tokens: USAGE.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: USAGE.cached,
    output_tokens: output,
  };
}
