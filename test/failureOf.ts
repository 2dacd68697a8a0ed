import type { TurnFailure, TurnFailureCode } from '../src/models/TurnOutcome.js';

const FAILURES: Readonly<Record<TurnFailureCode, TurnFailure>> = {
  AGENT_MISSING: { code: 'AGENT_MISSING', reason: 'not-found', program: 'claude' },
  SPAWN: { code: 'SPAWN', reason: 'not-started', program: 'claude', errno: 'EAGAIN' },
  AUTH: { code: 'AUTH', reason: 'login-needed', login: { run: 'claude', type: '/login' } },
  AGENT_ERROR: { code: 'AGENT_ERROR', reason: 'agent-error', detail: 'It failed.', command: 'claude' },
  SESSION_UNKNOWN: { code: 'SESSION_UNKNOWN', reason: 'session-unknown' },
  PROMPT_BUDGET: {
    code: 'PROMPT_BUDGET',
    reason: 'prompt-budget',
    maxBytes: 100,
    neededBytes: 120,
    sections: { system: 80, task: 0, context: 0, message: 40 },
  },
  NO_FINAL_EVENT: { code: 'NO_FINAL_EVENT', reason: 'no-final-event', exitCode: 0 },
  NO_WORKER: { code: 'NO_WORKER', reason: 'no-worker', worker: 'gpu_box', member: 'sarah', minutes: 30 },
  WORKER_REFUSED: {
    code: 'WORKER_REFUSED',
    reason: 'worker-refused',
    worker: 'gpu_box',
    member: 'sarah',
    because: 'not-offered',
    agentType: 'openai-codex',
  },
  LINE_TOO_LONG: { code: 'LINE_TOO_LONG', reason: 'line-too-long', lines: 1 },
};

/** A failure with this code. */
export function failureOf(code: TurnFailureCode): TurnFailure {
  return FAILURES[code];
}
