import type { DialectFailure, UnexplainedExit, Verdict } from '../dialect/Dialect.js';
import { type ExitExplanation, explainByTable, failedWith, sessionUnknownHint } from '../dialect/failures.js';
import { fieldOf, listOf, lookUp, numberOf, textOf, type UnknownRecord } from '../dialect/records.js';

export const claudeLoginHint = 'Run `claude` and type /login, or set ANTHROPIC_API_KEY.';

const explanations: readonly ExitExplanation[] = [
  {
    pattern: /No conversation found|No message found with message\.uuid/i,
    code: 'SESSION_UNKNOWN',
    hint: sessionUnknownHint,
  },
  {
    // Versions before these options cannot take the new system text on resume, or fork at a place.
    pattern: /^error: unknown option '--(?:system-prompt-snapshot|resume-session-at)'/,
    code: 'SESSION_UNKNOWN',
    hint: 'Update Claude Code to use its sessions; until then the whole conversation is sent.',
  },
  {
    pattern: /cannot be used with root/i,
    code: 'AGENT_ERROR',
    hint: 'Do not run as root, give the member `edit`, or set IS_SANDBOX=1 if this is a container.',
  },
  {
    pattern: /^error: unknown option/i,
    code: 'AGENT_ERROR',
    hint: 'Update Claude Code: it does not know an option Huddle needs.',
  },
];

export function explainClaudeExit({ stderr }: UnexplainedExit): DialectFailure | undefined {
  return explainByTable(explanations, stderr);
}

/** Older versions know none or only one of the options for it. */
export function refusesSystemText(stderr: string): boolean {
  return /^error: unknown option '--append-system-prompt(?:-file)?'/mu.test(stderr);
}

/** Ends that Claude describes for its developers only. */
const interruptions: Readonly<Record<string, string>> = {
  aborted_streaming: 'Claude Code was interrupted.',
  aborted_tools: 'Claude Code was interrupted while a tool was running.',
};

/**
 * What the final record says: by `is_error`, since errors of the service come as `subtype: "success"`. `apiError` is
 * the word for the last of those, for instance `authentication_failed`.
 */
export function judgeResult(result: UnknownRecord, apiError: string | undefined): Verdict {
  const isError = fieldOf(result, 'is_error');
  if (isError === false || (isError === undefined && textOf(result, 'subtype') === 'success'))
    return { ok: true };
  const errors = listOf(result, 'errors').filter((error) => typeof error === 'string');
  const interruption = lookUp(interruptions, fieldOf(result, 'terminal_reason'));
  const message = interruption ?? textOf(result, 'result') ?? errors.join('; ');
  const known = explainByTable(explanations, message);
  if (known) return { ok: false, failure: known };
  return failedWith({
    message,
    status: numberOf(result, 'api_error_status'),
    isAuth: apiError === 'authentication_failed',
    loginHint: claudeLoginHint,
  });
}
