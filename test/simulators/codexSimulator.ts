import type { FailureName } from '../../src/agents/rehearsal/script.js';
import { jsonLines, type Output, type SimulatedTurn, type Simulator } from './Simulator.js';

/** Speaks like `codex exec --json`. */
export const codexSimulator: Simulator = {
  sessionIn(args) {
    const index = args.findIndex((argument) => argument === 'resume' || argument === 'fork');
    const sessionId = index < 0 ? undefined : args[index + 1];
    return sessionId ? { sessionId, isFork: args[index] === 'fork' } : undefined;
  },
  play(turn) {
    const message = turn.failure && failureMessages[turn.failure];
    if (message) return failed(turn, turn.failure === 'not-logged-in' ? 0 : 5, message);
    const records = [...started(turn), ...items(turn)];
    if (turn.failure === 'no-final-event') return { stdout: jsonLines(records), stderr: '', exitCode: 0 };
    return { stdout: jsonLines([...records, completed(turn)]), stderr: '', exitCode: 0 };
  },
  unknownSession(sessionId) {
    return {
      stdout: '',
      stderr: `Error: thread/resume: thread/resume failed: no rollout found for thread id ${sessionId} (code -32600)\n`,
      exitCode: 1,
    };
  },
};

const failureMessages: Readonly<Partial<Record<FailureName, string>>> = {
  'not-logged-in': 'Missing environment variable: `CODEX_API_KEY`.',
  auth: 'unexpected status 401 Unauthorized: Incorrect API key provided: rehearsed',
  'rate-limit': 'exceeded retry limit, last status: 429 Too Many Requests',
  'server-error': 'We’re currently experiencing high demand, which may cause temporary errors.',
  cut: 'stream disconnected before completion: Transport error: network error: error decoding response body',
};

function failed(turn: SimulatedTurn, attempts: number, message: string): Output {
  const notices = Array.from({ length: attempts }, (_, index) => ({
    type: 'error',
    message: `Reconnecting... ${index + 1}/${attempts} (${message})`,
  }));
  const end = [
    { type: 'error', message },
    { type: 'turn.failed', error: { message } },
  ];
  const [firstNotice, ...otherNotices] = notices;
  if (firstNotice === undefined)
    return { stdout: jsonLines([...started(turn), ...end]), stderr: '', exitCode: 1 };
  return {
    stdout: jsonLines([...started(turn), firstNotice]),
    stdoutAfterPause: jsonLines([...otherNotices, ...end]),
    stderr: '',
    exitCode: 1,
  };
}

function started({ sessionId }: SimulatedTurn): readonly object[] {
  return [{ type: 'thread.started', thread_id: sessionId }, { type: 'turn.started' }];
}

function items({ blocks, tools }: SimulatedTurn): readonly object[] {
  const [first, ...rest] = blocks.filter((text) => text !== '');
  let count = 0;
  const nextId = () => `item_${count++}`;
  const say = (text: string) => ({
    type: 'item.completed',
    item: { id: nextId(), type: 'agent_message', text },
  });
  return [
    ...(first === undefined ? [] : [say(first)]),
    ...tools.flatMap((tool) => {
      const item = { id: nextId(), type: 'command_execution', command: `/bin/bash -lc '${tool.input}'` };
      return [
        {
          type: 'item.started',
          item: { ...item, aggregated_output: '', exit_code: null, status: 'in_progress' },
        },
        {
          type: 'item.completed',
          item: {
            ...item,
            aggregated_output: tool.result,
            exit_code: tool.ok ? 0 : 1,
            status: tool.ok ? 'completed' : 'failed',
          },
        },
      ];
    }),
    ...rest.map(say),
  ];
}

/** Counted over the whole thread. */
function completed({ sessionTotals }: SimulatedTurn): object {
  return {
    type: 'turn.completed',
    usage: {
      input_tokens: sessionTotals.inputTokens,
      cached_input_tokens: sessionTotals.cachedInputTokens,
      cache_write_input_tokens: 0,
      output_tokens: sessionTotals.outputTokens,
      reasoning_output_tokens: 0,
    },
  };
}
