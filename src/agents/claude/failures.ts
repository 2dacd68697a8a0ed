import type { Verdict } from '../dialect/Dialect.js';
import { createExitExplainer, failedWith } from '../dialect/failures.js';
import { fieldOf, listOf, lookUp, numberOf, textOf, type UnknownRecord } from '../dialect/records.js';

const outdated = { reason: 'outdated-agent', label: 'Claude Code' } as const;

export const explainClaudeExit = createExitExplainer([
  [
    /No conversation found|No message found with message\.uuid/i,
    { code: 'SESSION_UNKNOWN', reason: 'session-unknown' },
  ],
  [
    // Versions before these options cannot take the new system text on resume, or fork at a place.
    /^error: unknown option '--(?:system-prompt-snapshot|resume-session-at)'/,
    { code: 'SESSION_UNKNOWN', ...outdated },
  ],
  [/cannot be used with root/i, { code: 'AGENT_ERROR', reason: 'root-refused' }],
  [/^error: unknown option/i, { code: 'AGENT_ERROR', ...outdated }],
]);

/** Older versions know none or only one of the options for it. */
export function refusesSystemText(stderr: string): boolean {
  return /^error: unknown option '--append-system-prompt(?:-file)?'/mu.test(stderr);
}

/** Ends that Claude describes for its developers only. */
const interruptions = { aborted_streaming: 'answer', aborted_tools: 'tool' } as const;

/**
 * Judges the final record by `is_error`, since errors of the service come as `subtype: "success"`. `apiError`
 * is the word for the last of those, for instance `authentication_failed`.
 */
export function judgeResult(result: UnknownRecord, apiError: string | undefined): Verdict {
  const isError = fieldOf(result, 'is_error');
  if (isError === false || (isError === undefined && textOf(result, 'subtype') === 'success'))
    return { ok: true };
  const errors = listOf(result, 'errors').filter((error) => typeof error === 'string');
  const during = lookUp(interruptions, fieldOf(result, 'terminal_reason'));
  if (during) return { ok: false, failure: { code: 'AGENT_ERROR', reason: 'agent-interrupted', during } };
  const message = textOf(result, 'result') ?? errors.join('; ');
  const known = explainClaudeExit({ stderr: message });
  if (known) return { ok: false, failure: known };
  return failedWith({
    message,
    status: numberOf(result, 'api_error_status'),
    isAuth: apiError === 'authentication_failed',
  });
}
