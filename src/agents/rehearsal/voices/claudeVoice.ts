import type { FailureName, ScriptedTool } from '../script.js';
import { makeSessionId } from '../sessionFiles.js';
import { jsonLines, type Output, optionValue, type Performance, piecesOf, type Voice } from '../Voice.js';

/** Speaks like `claude -p --verbose --output-format stream-json --include-partial-messages`. */
export const claudeVoice: Voice = {
  sessionIn(args) {
    const sessionId = optionValue(args, '--resume');
    return sessionId ? { sessionId, isFork: args.includes('--fork-session') } : undefined;
  },
  play(performance) {
    const failure = performance.failure ? failures[performance.failure] : undefined;
    return failure ? failure(performance) : answered(performance);
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

function answered(performance: Performance): Output {
  const records = [init(performance), ...blockRecords(performance), success(performance)];
  return { stdout: jsonLines(records), stderr: '', exitCode: 0 };
}

const failures: Readonly<Record<FailureName, (performance: Performance) => Output>> = {
  'not-logged-in': (performance) =>
    refused(performance, [], {
      error: 'authentication_failed',
      message: 'Not logged in · Please run /login',
    }),
  auth: (performance) =>
    refused(performance, retries(performance, 401, 'authentication_failed'), {
      error: 'authentication_failed',
      status: 401,
      message: 'Failed to authenticate. API Error: 401 rehearsed',
    }),
  'rate-limit': (performance) =>
    refused(performance, retries(performance, 429, 'rate_limit'), {
      error: 'rate_limit',
      status: 429,
      message: 'API Error: Request rejected (429) · rehearsed',
    }),
  'server-error': (performance) =>
    refused(performance, retries(performance, 500, 'server_error'), {
      error: 'server_error',
      status: 500,
      message:
        'API Error: 500 rehearsed. This is a server-side issue, usually temporary — try again in a moment.',
    }),
  // The partial text of each dead attempt has been printed; a request without streaming then succeeds.
  cut: (performance) => {
    const [first = '', ...rest] = performance.blocks;
    return {
      stdout: jsonLines([
        init(performance),
        ...deadAttempt(performance, first),
        retry(performance, 1, null, 'unknown'),
        ...deadAttempt(performance, first),
        retry(performance, 2, null, 'unknown'),
        ...deadAttempt(performance, first),
        ...(first === '' ? [] : [assistant(performance, { type: 'text', text: first })]),
        ...blockRecords({ ...performance, blocks: ['', ...rest] }),
        success(performance),
      ]),
      stderr: '',
      exitCode: 0,
    };
  },
  'no-final-event': (performance) => ({
    stdout: jsonLines([init(performance), ...blockRecords(performance)]),
    stderr: '',
    exitCode: 0,
  }),
};

interface ApiError {
  readonly error: string;
  readonly status?: number;
  readonly message: string;
}

function refused(performance: Performance, retried: readonly object[], apiError: ApiError): Output {
  const text = { type: 'text', text: apiError.message };
  const [firstRetry, ...otherRetries] = retried;
  const end = [
    {
      ...assistant(performance, text),
      error: apiError.error,
      is_api_error_message: true,
      api_error_status: apiError.status,
    },
    {
      ...result(performance),
      subtype: 'success',
      is_error: true,
      result: apiError.message,
      terminal_reason: 'api_error',
      api_error_status: apiError.status ?? null,
    },
  ];
  if (firstRetry === undefined)
    return { stdout: jsonLines([init(performance), ...end]), stderr: '', exitCode: 1 };
  return {
    stdout: jsonLines([init(performance), firstRetry]),
    stdoutAfterPause: jsonLines([...otherRetries, ...end]),
    stderr: '',
    exitCode: 1,
  };
}

function init({ sessionId, model }: Performance): object {
  return { type: 'system', subtype: 'init', session_id: sessionId, model, tools: ['Read', 'Grep', 'Glob'] };
}

function retries(performance: Performance, status: number, error: string): readonly object[] {
  return [1, 2].map((attempt) => retry(performance, attempt, status, error));
}

function retry({ sessionId }: Performance, attempt: number, status: number | null, error: string): object {
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

function blockRecords(performance: Performance): readonly object[] {
  const [first = '', ...rest] = performance.blocks;
  return [
    ...textRecords(performance, first),
    ...performance.tools.flatMap((tool, index) => toolRecords(performance, tool, index)),
    ...rest.flatMap((text) => textRecords(performance, text)),
  ];
}

function textRecords(performance: Performance, text: string): readonly object[] {
  if (text === '') return [];
  return [
    ...deltas(performance, text),
    assistant(performance, { type: 'text', text }),
    stream(performance, { type: 'content_block_stop', index: 0 }),
    stream(performance, { type: 'message_stop' }),
  ];
}

function deadAttempt(performance: Performance, text: string): readonly object[] {
  return [
    ...deltas(performance, text),
    stream(performance, { type: 'message_stop' }, { abandoned_blocks: { from_block_index: 0 } }),
  ];
}

function deltas(performance: Performance, text: string): readonly object[] {
  return [
    stream(performance, { type: 'message_start', message: { id: 'msg_rehearsal', content: [] } }),
    stream(performance, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...piecesOf(text).map((piece) =>
      stream(performance, {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: piece },
      }),
    ),
  ];
}

function stream({ sessionId }: Performance, event: object, more: object = {}): object {
  return { type: 'stream_event', event, session_id: sessionId, parent_tool_use_id: null, ...more };
}

function assistant({ sessionId, model, sessionTotals }: Performance, block: object): object {
  return {
    type: 'assistant',
    uuid: makeSessionId(sessionId, JSON.stringify([sessionTotals, block])),
    message: { id: 'msg_rehearsal', role: 'assistant', model, content: [block] },
    parent_tool_use_id: null,
    session_id: sessionId,
  };
}

function toolRecords(performance: Performance, tool: ScriptedTool, index: number): readonly object[] {
  const id = `toolu_rehearsal_${index + 1}`;
  return [
    assistant(performance, { type: 'tool_use', id, name: tool.name, input: { command: tool.input } }),
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: tool.result, is_error: !tool.ok }],
      },
      parent_tool_use_id: null,
      session_id: performance.sessionId,
    },
  ];
}

function success(performance: Performance): object {
  return {
    ...result(performance),
    subtype: 'success',
    is_error: false,
    result: performance.blocks.at(-1) ?? '',
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
function result({ sessionId, usage, sessionTotals }: Performance): object {
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
