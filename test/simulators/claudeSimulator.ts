import type { FailureName, ScriptedTool } from '../../src/agents/rehearsal/script.js';
import { piecesOf } from '../../src/agents/rehearsal/simulatedTurn.js';
import { makeSessionId } from './makeSessionId.js';
import { jsonLines, type Output, optionValue, type SimulatedTurn, type Simulator } from './Simulator.js';

/** Speaks like `claude -p --verbose --output-format stream-json --include-partial-messages`. */
export const claudeSimulator: Simulator = {
  sessionIn(args) {
    const sessionId = optionValue(args, '--resume');
    return sessionId ? { sessionId, isFork: args.includes('--fork-session') } : undefined;
  },
  play(turn) {
    const failure = turn.failure ? failures[turn.failure] : undefined;
    return failure ? failure(turn) : answered(turn);
  },
  unknownSession(sessionId) {
    const message = `No conversation found with session ID: ${sessionId}`;
    return {
      stdout: jsonLines([
        {
          type: 'result',
          subtype: 'error_during_execution',
          is_error: true,
          errors: [message],
          session_id: sessionId,
          total_cost_usd: 0,
          usage: noUsage,
        },
      ]),
      stderr: `${message}\n`,
      exitCode: 1,
    };
  },
};

function answered(turn: SimulatedTurn): Output {
  const records = [init(turn), ...blockRecords(turn), success(turn)];
  return { stdout: jsonLines(records), stderr: '', exitCode: 0 };
}

const failures: Readonly<Record<FailureName, (turn: SimulatedTurn) => Output>> = {
  'not-logged-in': (turn) =>
    refused(turn, [], {
      error: 'authentication_failed',
      message: 'Not logged in · Please run /login',
    }),
  auth: (turn) =>
    refused(turn, retries(turn, 401, 'authentication_failed'), {
      error: 'authentication_failed',
      status: 401,
      message: 'Failed to authenticate. API Error: 401 rehearsed',
    }),
  'rate-limit': (turn) =>
    refused(turn, retries(turn, 429, 'rate_limit'), {
      error: 'rate_limit',
      status: 429,
      message: 'API Error: Request rejected (429) · rehearsed',
    }),
  'server-error': (turn) =>
    refused(turn, retries(turn, 500, 'server_error'), {
      error: 'server_error',
      status: 500,
      message:
        'API Error: 500 rehearsed. This is a server-side issue, usually temporary — try again in a moment.',
    }),
  // The partial text of each dead attempt has been printed; a request without streaming then succeeds.
  cut: (turn) => {
    const [first = '', ...rest] = turn.blocks;
    return {
      stdout: jsonLines([
        init(turn),
        ...deadAttempt(turn, first),
        retry(turn, 1, null, 'unknown'),
        ...deadAttempt(turn, first),
        retry(turn, 2, null, 'unknown'),
        ...deadAttempt(turn, first),
        ...(first === '' ? [] : [assistant(turn, { type: 'text', text: first })]),
        ...blockRecords({ ...turn, blocks: ['', ...rest] }),
        success(turn),
      ]),
      stderr: '',
      exitCode: 0,
    };
  },
  'no-final-event': (turn) => ({
    stdout: jsonLines([init(turn), ...blockRecords(turn)]),
    stderr: '',
    exitCode: 0,
  }),
};

interface ApiError {
  readonly error: string;
  readonly status?: number;
  readonly message: string;
}

function refused(turn: SimulatedTurn, retried: readonly object[], apiError: ApiError): Output {
  const text = { type: 'text', text: apiError.message };
  const [firstRetry, ...otherRetries] = retried;
  const end = [
    {
      ...assistant(turn, text),
      error: apiError.error,
      is_api_error_message: true,
      api_error_status: apiError.status,
    },
    {
      ...result(turn),
      subtype: 'success',
      is_error: true,
      result: apiError.message,
      terminal_reason: 'api_error',
      api_error_status: apiError.status ?? null,
    },
  ];
  if (firstRetry === undefined) return { stdout: jsonLines([init(turn), ...end]), stderr: '', exitCode: 1 };
  return {
    stdout: jsonLines([init(turn), firstRetry]),
    stdoutAfterPause: jsonLines([...otherRetries, ...end]),
    stderr: '',
    exitCode: 1,
  };
}

function init({ sessionId, model }: SimulatedTurn): object {
  return { type: 'system', subtype: 'init', session_id: sessionId, model, tools: ['Read', 'Grep', 'Glob'] };
}

function retries(turn: SimulatedTurn, status: number, error: string): readonly object[] {
  return [1, 2].map((attempt) => retry(turn, attempt, status, error));
}

function retry({ sessionId }: SimulatedTurn, attempt: number, status: number | null, error: string): object {
  return {
    type: 'system',
    subtype: 'api_retry',
    attempt,
    max_retries: 2,
    retry_delay_ms: 0,
    error_status: status,
    error,
    session_id: sessionId,
  };
}

function blockRecords(turn: SimulatedTurn): readonly object[] {
  const [first = '', ...rest] = turn.blocks;
  return [
    ...textRecords(turn, first),
    ...turn.tools.flatMap((tool, index) => toolRecords(turn, tool, index)),
    ...rest.flatMap((text) => textRecords(turn, text)),
  ];
}

function textRecords(turn: SimulatedTurn, text: string): readonly object[] {
  if (text === '') return [];
  return [
    ...deltas(turn, text),
    assistant(turn, { type: 'text', text }),
    stream(turn, { type: 'content_block_stop', index: 0 }),
    stream(turn, { type: 'message_stop' }),
  ];
}

function deadAttempt(turn: SimulatedTurn, text: string): readonly object[] {
  return [
    ...deltas(turn, text),
    stream(turn, { type: 'message_stop' }, { abandoned_blocks: { from_block_index: 0 } }),
  ];
}

function deltas(turn: SimulatedTurn, text: string): readonly object[] {
  return [
    stream(turn, { type: 'message_start', message: { id: 'msg_rehearsal', content: [] } }),
    stream(turn, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...piecesOf(text).map((piece) =>
      stream(turn, {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: piece },
      }),
    ),
  ];
}

function stream({ sessionId }: SimulatedTurn, event: object, more: object = {}): object {
  return { type: 'stream_event', event, session_id: sessionId, parent_tool_use_id: null, ...more };
}

function assistant({ sessionId, model, sessionTotals }: SimulatedTurn, block: object): object {
  return {
    type: 'assistant',
    uuid: makeSessionId(sessionId, JSON.stringify([sessionTotals, block])),
    message: { id: 'msg_rehearsal', role: 'assistant', model, content: [block] },
    parent_tool_use_id: null,
    session_id: sessionId,
  };
}

function toolRecords(turn: SimulatedTurn, tool: ScriptedTool, index: number): readonly object[] {
  const id = `toolu_rehearsal_${index + 1}`;
  return [
    assistant(turn, { type: 'tool_use', id, name: tool.name, input: { command: tool.input } }),
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: tool.result, is_error: !tool.ok }],
      },
      parent_tool_use_id: null,
      session_id: turn.sessionId,
    },
  ];
}

function success(turn: SimulatedTurn): object {
  return {
    ...result(turn),
    subtype: 'success',
    is_error: false,
    result: turn.blocks.at(-1) ?? '',
    terminal_reason: 'completed',
    api_error_status: null,
  };
}

const noUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

/** The tokens are of this run, the cost is of the whole session. */
function result({ sessionId, usage, sessionTotals }: SimulatedTurn): object {
  return {
    type: 'result',
    session_id: sessionId,
    total_cost_usd: sessionTotals.usd,
    usage: {
      ...noUsage,
      input_tokens: usage.inputTokens - usage.cachedInputTokens,
      cache_read_input_tokens: usage.cachedInputTokens,
      output_tokens: usage.outputTokens,
    },
  };
}
