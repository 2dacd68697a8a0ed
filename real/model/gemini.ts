import { fieldOf, isRecord, listOf, textOf } from '../../compiled/agents/dialect/records.js';
import { findServerTool, type ModelRequest } from './ModelRequest.js';
import { type Protocol, plainEvent } from './Protocol.js';
import { ANNOUNCEMENT, type SpokenReply, type ToolUse, USAGE } from './Reply.js';

const METHOD = /\/models\/(?<model>[^:/?]+):(?<method>streamGenerateContent|generateContent)/;

/** The Gemini API, as Gemini CLI speaks it. */
export const gemini: Protocol = {
  serves: (path) => METHOD.test(path),
  read({ path, body, parsed }) {
    const { model = '', method } = METHOD.exec(path)?.groups ?? {};
    const userParts = listOf(parsed, 'contents')
      .filter((content) => textOf(content, 'role') === 'user')
      .flatMap((content) => listOf(content, 'parts'));
    return {
      model,
      system: listOf(fieldOf(parsed, 'systemInstruction'), 'parts')
        .map((part) => textOf(part, 'text') ?? '')
        .join('\n'),
      userTexts: userParts.flatMap((part) => textOf(part, 'text') ?? []),
      toolResults: userParts.flatMap((part) => {
        const result = fieldOf(part, 'functionResponse');
        return result === undefined ? [] : [JSON.stringify(fieldOf(result, 'response'))];
      }),
      tools: listOf(parsed, 'tools').flatMap((tool) =>
        listOf(tool, 'functionDeclarations').map((declared) => ({ name: textOf(declared, 'name') ?? '' })),
      ),
      isSideQuestion: answerSchema(parsed) !== undefined,
      streams: method === 'streamGenerateContent',
      body,
    };
  },
  stream(reply, request, id) {
    const { model } = request;
    const parts = partsFor(reply, request);
    return {
      opening: [],
      said: parts.map((part) => plainEvent(candidate([part], model, id))),
      closing: [plainEvent(finished([{ text: '' }], model, id))],
    };
  },
  whole: (reply, request, id) => finished(partsFor(reply, request), request.model, id),
  refusal: (status) => ({
    error: {
      code: status,
      message: status === 401 ? 'API key not valid. Please pass a valid API key.' : `made-up ${status}`,
      status: statusWords[status] ?? 'INTERNAL',
    },
  }),
  sideReply: ({ body }) => ({
    kind: 'say',
    pieces: [JSON.stringify(exampleOf(answerSchema(JSON.parse(body))))],
  }),
};

const statusWords: Readonly<Record<number, string>> = { 401: 'UNAUTHENTICATED', 429: 'RESOURCE_EXHAUSTED' };

function answerSchema(body: unknown): unknown {
  const settings = fieldOf(body, 'generationConfig');
  return fieldOf(settings, 'responseJsonSchema') ?? fieldOf(settings, 'responseSchema');
}

/** The plainest value that a JSON schema allows. */
function exampleOf(schema: unknown): unknown {
  const [first] = listOf(schema, 'enum');
  const properties = fieldOf(schema, 'properties');
  if (first !== undefined) return first;
  if (isRecord(properties))
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, exampleOf(inner)]));
  return examples[textOf(schema, 'type')?.toLowerCase() ?? ''] ?? 'none';
}

const examples: Readonly<Record<string, unknown>> = { array: [], number: 1, integer: 1, boolean: false };

function partsFor(reply: SpokenReply, request: ModelRequest): readonly object[] {
  if (reply.kind === 'say') return reply.pieces.map((text) => ({ text }));
  return [
    { text: ANNOUNCEMENT },
    { functionCall: toolCall(reply.tool, request), thoughtSignature: 'bWFkZSB1cA==' },
  ];
}

function toolCall(tool: ToolUse, request: ModelRequest): object {
  if (tool.kind === 'call')
    return { name: findServerTool(request, tool.name)?.name ?? tool.name, args: tool.given };
  return tool.kind === 'write'
    ? { name: 'write_file', args: { file_path: tool.path, content: tool.text } }
    : { name: 'run_shell_command', args: { command: tool.command, description: 'Run it' } };
}

function candidate(parts: readonly object[], model: string, id: string, finish: object = {}): object {
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...finish }],
    modelVersion: model,
    responseId: id,
  };
}

function finished(parts: readonly object[], model: string, id: string): object {
  const usageMetadata = {
    promptTokenCount: USAGE.input + USAGE.cached,
    cachedContentTokenCount: USAGE.cached,
    candidatesTokenCount: USAGE.output,
    totalTokenCount: USAGE.input + USAGE.cached + USAGE.output,
  };
  return { ...candidate(parts, model, id, { finishReason: 'STOP' }), usageMetadata };
}
