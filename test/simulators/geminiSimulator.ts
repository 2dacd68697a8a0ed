import type { FailureName } from '../../src/agents/rehearsal/script.js';
import { piecesOf } from '../../src/agents/rehearsal/simulatedTurn.js';
import { jsonLines, type Output, optionValue, type SimulatedTurn, type Simulator } from './Simulator.js';

/** Speaks like `gemini --output-format stream-json`. */
export const geminiSimulator: Simulator = {
  sessionIn(args) {
    const sessionId = optionValue(args, '--resume', '-r');
    return sessionId ? { sessionId, isFork: false } : undefined;
  },
  play(turn) {
    if (turn.failure === 'not-logged-in') return notLoggedIn;
    if (turn.failure === 'no-final-event')
      return { stdout: jsonLines(spoken(turn)), stderr: '', exitCode: 0 };
    const error = turn.failure && apiErrors[turn.failure];
    return error ? refused(turn, error) : answered(turn);
  },
  unknownSession() {
    return {
      stdout: '',
      stderr: 'Error resuming session: No previous sessions found for this project.\n',
      exitCode: 42,
    };
  },
};

const notLoggedIn: Output = {
  stdout: '',
  stderr: 'When using Gemini API, you must specify the GEMINI_API_KEY environment variable.\n',
  exitCode: 41,
};

interface ApiError {
  readonly message: string;
  readonly exitCode: number;
  /** Whether text had arrived before. */
  readonly afterText?: boolean;
}

/** The exit code is the HTTP status modulo 256. */
const apiErrors: Readonly<Partial<Record<FailureName, ApiError>>> = {
  auth: {
    message: errorBody(401, 'API key not valid. Please pass a valid API key.', 'UNAUTHENTICATED'),
    exitCode: 145,
  },
  'rate-limit': { message: '[API Error: rehearsed 429]\nPlease wait and try again later.', exitCode: 173 },
  'server-error': { message: errorBody(500, 'rehearsed', 'INTERNAL'), exitCode: 244 },
  cut: { message: '[API Error: terminated]', exitCode: 1, afterText: true },
};

function errorBody(code: number, message: string, status: string): string {
  return `[API Error: ${JSON.stringify({ error: { code, message, status } })}]`;
}

function answered(turn: SimulatedTurn): Output {
  const { usage, model } = turn;
  const counts = {
    total_tokens: usage.inputTokens + usage.outputTokens,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached: usage.cachedInputTokens,
    input: usage.inputTokens - usage.cachedInputTokens,
  };
  const stats = {
    ...counts,
    duration_ms: 0,
    tool_calls: turn.tools.length,
    models: { [model]: counts },
  };
  return {
    stdout: jsonLines([...spoken(turn), stamped({ type: 'result', status: 'success', stats })]),
    stderr: '',
    exitCode: 0,
  };
}

function refused(turn: SimulatedTurn, { message, exitCode, afterText }: ApiError): Output {
  const said = afterText ? turn : { ...turn, blocks: [], tools: [] };
  const stats = {
    total_tokens: 0,
    input_tokens: 0,
    output_tokens: 0,
    cached: 0,
    input: 0,
    duration_ms: 0,
    tool_calls: 0,
    models: {},
  };
  const result = { type: 'result', status: 'error', error: { type: 'unknown', message }, stats };
  return { stdout: jsonLines([...spoken(said), stamped(result)]), stderr: '', exitCode };
}

/**
 * Everything before the `result`: the prompt comes back first, then the answer in pieces. Only a tool ends a block.
 */
function spoken({ sessionId, model, prompt, blocks, tools }: SimulatedTurn): readonly object[] {
  const beforeTools = tools.length > 0 ? blocks.slice(0, 1) : blocks;
  const afterTools = tools.length > 0 ? blocks.slice(1) : [];
  return [
    { type: 'init', session_id: sessionId, model },
    { type: 'message', role: 'user', content: prompt },
    ...deltas(beforeTools.join('\n\n')),
    ...tools.flatMap((tool, index) => {
      const toolId = `${tool.name}__rehearsal_${index + 1}`;
      return [
        { type: 'tool_use', tool_name: tool.name, tool_id: toolId, parameters: { command: tool.input } },
        { type: 'tool_result', tool_id: toolId, status: tool.ok ? 'success' : 'error', output: tool.result },
      ];
    }),
    ...deltas(afterTools.join('\n\n')),
  ].map(stamped);
}

function deltas(text: string): readonly object[] {
  return piecesOf(text).map((content) => ({ type: 'message', role: 'assistant', content, delta: true }));
}

/** Every record carries a time; a rehearsal says the same every time. */
function stamped(record: object): object {
  return { timestamp: '1970-01-01T00:00:00.000Z', ...record };
}
