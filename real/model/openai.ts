import { fieldOf, listOf, textOf } from '../../compiled/agents/dialect/records.js';
import { findServerTool, type ModelRequest, type OfferedTool } from './ModelRequest.js';
import { namedEvent, type Protocol } from './Protocol.js';
import { ANNOUNCEMENT, type SpokenReply, type ToolUse, USAGE } from './Reply.js';

/** What codex-acp asks, with a session of its own, after the first answer. */
const TITLE_QUESTION = /^Your task is to generate a very short title/;

/** The Responses API, as Codex speaks it. */
export const openai: Protocol = {
  serves: (path) => path.endsWith('/responses'),
  read({ body, parsed }) {
    const input = listOf(parsed, 'input');
    const textsOf = (...roles: readonly string[]) =>
      input
        .filter((item) => roles.includes(textOf(item, 'role') ?? ''))
        .flatMap((item) => listOf(item, 'content').map((part) => textOf(part, 'text') ?? ''));
    const userTexts = textsOf('user');
    return {
      model: textOf(parsed, 'model') ?? '',
      system: [textOf(parsed, 'instructions') ?? '', ...textsOf('system', 'developer')].join('\n'),
      userTexts,
      toolResults: input
        .filter((item) => textOf(item, 'type')?.endsWith('_output'))
        .map((item) => JSON.stringify(fieldOf(item, 'output'))),
      tools: offeredTools(parsed, input),
      isSideQuestion: TITLE_QUESTION.test(userTexts.at(-1) ?? ''),
      streams: true,
      body,
    };
  },
  stream(reply, request, id) {
    const response = { id, object: 'response', created_at: 1, model: request.model, error: null };
    const items = itemsFor(reply, request, id);
    return {
      opening: [namedEvent('response.created', { response: { ...response, status: 'in_progress' } })],
      said: items.flatMap((item, index) => itemEvents(item, index, reply)),
      closing: [
        ...items.map((item, index) => namedEvent('response.output_item.done', { output_index: index, item })),
        namedEvent('response.completed', {
          response: { ...response, status: 'completed', output: items, usage },
        }),
      ],
    };
  },
  whole(reply, request, id) {
    const output = itemsFor(reply, request, id);
    return {
      id,
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: request.model,
      output,
      usage,
    };
  },
  refusal: (status) => ({
    error: {
      message: `made-up ${status}`,
      type: 'server_error',
      param: null,
      code: errorCodes[status] ?? null,
    },
  }),
};

const errorCodes: Readonly<Record<number, string>> = { 401: 'invalid_api_key', 429: 'rate_limit_exceeded' };

/** What came from the cache is counted in. */
const usage = {
  input_tokens: USAGE.input + USAGE.cached,
  input_tokens_details: { cached_tokens: USAGE.cached },
  output_tokens: USAGE.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: USAGE.input + USAGE.cached + USAGE.output,
};

type Item = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };

/** Newer versions carry the tools among the input, some of them in namespaces. */
function offeredTools(body: unknown, input: readonly unknown[]): OfferedTool[] {
  const among = input.filter((item) => textOf(item, 'type') === 'additional_tools');
  const offered = [...listOf(body, 'tools'), ...among.flatMap((item) => listOf(item, 'tools'))];
  return offered.flatMap((tool) =>
    textOf(tool, 'type') === 'namespace'
      ? listOf(tool, 'tools').map((inner) => ({ ...describeTool(inner), namespace: textOf(tool, 'name') }))
      : [describeTool(tool)],
  );
}

function describeTool(tool: unknown): OfferedTool {
  return { name: textOf(tool, 'name') ?? '', type: textOf(tool, 'type') };
}

function itemsFor(reply: SpokenReply, request: ModelRequest, id: string): readonly Item[] {
  if (reply.kind === 'say') return [messageItem(reply.pieces.join(''), `msg_${id}`)];
  return [
    { ...messageItem(ANNOUNCEMENT, `msg_${id}`), phase: 'commentary' },
    toolItem(reply.tool, request.tools, id),
  ];
}

function messageItem(text: string, id: string): Item {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { id, type: 'message', status: 'completed', role: 'assistant', content };
}

/** Tools are called from JavaScript in the tool `exec` or, by other models, directly. */
function toolItem(tool: ToolUse, offered: readonly OfferedTool[], id: string): Item {
  const call = { id: `call_${id}`, status: 'completed', call_id: `call_${id}` };
  const script = offered.find(({ name, type }) => name === 'exec' && type === 'custom');
  if (script !== undefined)
    return {
      ...call,
      type: 'custom_tool_call',
      name: 'exec',
      ...(script.namespace && { namespace: script.namespace }),
      input: `text(JSON.stringify(await ${scriptCall(tool)}));`,
    };
  if (tool.kind === 'write')
    return { ...call, type: 'custom_tool_call', name: 'apply_patch', input: patchFor(tool) };
  if (tool.kind === 'call') {
    const { name = tool.name, namespace } = findServerTool({ tools: offered }, tool.name) ?? {};
    const given = JSON.stringify(tool.given);
    return { ...call, type: 'function_call', name, ...(namespace && { namespace }), arguments: given };
  }
  return {
    ...call,
    type: 'function_call',
    name: 'exec_command',
    arguments: JSON.stringify({ cmd: tool.command }),
  };
}

function scriptCall(tool: ToolUse): string {
  if (tool.kind === 'call') return `tools.mcp__huddle__${tool.name}(${JSON.stringify(tool.given)})`;
  return tool.kind === 'write'
    ? `tools.apply_patch(${JSON.stringify(patchFor(tool))})`
    : `tools.exec_command({ cmd: ${JSON.stringify(tool.command)} })`;
}

/** A file that is there already gets the new text. */
function patchFor({ path, text }: Extract<ToolUse, { kind: 'write' }>): string {
  const lines = text.split('\n').map((line) => `+${line}`);
  return ['*** Begin Patch', `*** Add File: ${path}`, ...lines, '*** End Patch'].join('\n');
}

function itemEvents(item: Item, index: number, reply: SpokenReply): string[] {
  const place = { item_id: item.id, output_index: index, content_index: 0 };
  const added = namedEvent('response.output_item.added', { output_index: index, item });
  if (item.type !== 'message') return [added];
  const pieces = reply.kind === 'say' ? reply.pieces : [ANNOUNCEMENT];
  return [
    namedEvent('response.output_item.added', { output_index: index, item: { ...item, content: [] } }),
    ...pieces.map((delta) => namedEvent('response.output_text.delta', { ...place, delta })),
  ];
}
