import { fieldOf, listOf, textOf } from '../../compiled/agents/dialect/records.js';
import { type Protocol, plainEvent } from './Protocol.js';
import { ANNOUNCEMENT, type SpokenReply, type ToolUse, USAGE } from './Reply.js';

/** Chat Completions, which every agent that can be given a model of one's own speaks. */
export const chat: Protocol = {
  serves: (path) => path.endsWith('/chat/completions'),
  read({ body, parsed }) {
    const messages = listOf(parsed, 'messages');
    const textsOf = (role: string) =>
      messages.filter((message) => textOf(message, 'role') === role).flatMap(contentTexts);
    const tools = listOf(parsed, 'tools').map((tool) => ({
      name: textOf(fieldOf(tool, 'function'), 'name') ?? '',
    }));
    return {
      model: textOf(parsed, 'model') ?? '',
      system: textsOf('system').join('\n'),
      userTexts: textsOf('user'),
      toolResults: textsOf('tool'),
      tools,
      // A title for the session is asked for without any tool.
      isSideQuestion: tools.length === 0,
      streams: fieldOf(parsed, 'stream') === true,
      body,
    };
  },
  stream(reply, { model }, id) {
    const chunk = (choices: readonly object[], more: object = {}) =>
      plainEvent({ id, object: 'chat.completion.chunk', created: 1, model, choices, ...more });
    const delta = (change: object, finish: string | null = null) =>
      chunk([{ index: 0, delta: change, finish_reason: finish }]);
    const pieces = reply.kind === 'say' ? reply.pieces : [ANNOUNCEMENT];
    return {
      opening: [delta({ role: 'assistant', content: '' })],
      said: [
        ...pieces.map((content) => delta({ content })),
        ...toolCalls(reply, id).map((call) => delta({ tool_calls: [{ index: 0, ...call }] })),
      ],
      closing: [delta({}, finishReason(reply)), chunk([], { usage }), 'data: [DONE]\n\n'],
    };
  },
  whole(reply, { model }, id) {
    const content = reply.kind === 'say' ? reply.pieces.join('') : ANNOUNCEMENT;
    const message = { role: 'assistant', content, tool_calls: toolCalls(reply, id) };
    const choices = [{ index: 0, message, finish_reason: finishReason(reply) }];
    return { id, object: 'chat.completion', created: 1, model, choices, usage };
  },
  refusal: (status) => ({ error: { message: `made-up ${status}`, type: 'server_error', code: null } }),
};

const usage = {
  prompt_tokens: USAGE.input + USAGE.cached,
  prompt_tokens_details: { cached_tokens: USAGE.cached },
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.cached + USAGE.output,
};

function contentTexts(message: unknown): string[] {
  const content = fieldOf(message, 'content');
  if (typeof content === 'string') return [content];
  return listOf(message, 'content').flatMap((part) => textOf(part, 'text') ?? []);
}

function toolCalls(reply: SpokenReply, id: string): object[] {
  if (reply.kind === 'say') return [];
  return [{ id: `call_${id}`, type: 'function', function: toolCall(reply.tool) }];
}

/** The names are those of opencode. */
function toolCall(tool: ToolUse): object {
  if (tool.kind === 'call') return { name: tool.name, arguments: JSON.stringify(tool.given) };
  return tool.kind === 'write'
    ? { name: 'write', arguments: JSON.stringify({ filePath: tool.path, content: tool.text }) }
    : { name: 'bash', arguments: JSON.stringify({ command: tool.command, description: 'Run it' }) };
}

function finishReason({ kind }: SpokenReply): string {
  return kind === 'say' ? 'stop' : 'tool_calls';
}
