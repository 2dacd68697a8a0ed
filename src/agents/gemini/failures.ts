import type { FailureFacts } from '../../models/TurnOutcome.js';
import type { UnexplainedExit } from '../dialect/Dialect.js';
import { createExitExplainer } from '../dialect/failures.js';

export function isGeminiLoginMessage(message: string): boolean {
  return /UNAUTHENTICATED|PERMISSION_DENIED|API[_ ]key not valid|API_KEY_INVALID/i.test(message);
}

const loginNeeded = { code: 'AUTH', reason: 'login-needed' } as const;

const explain = createExitExplainer([
  [/^Error resuming session/i, { code: 'SESSION_UNKNOWN', reason: 'session-unknown' }],
  [/set an Auth method|GEMINI_API_KEY environment variable|Invalid auth method/i, loginNeeded],
  [
    /^(?:Unknown argument|Invalid values)/i,
    { code: 'AGENT_ERROR', reason: 'outdated-agent', label: 'Gemini CLI' },
  ],
]);

/** Its exit codes with a meaning of their own; most others are an HTTP status modulo 256. */
const authExitCode = 41;

export function explainGeminiExit(exit: UnexplainedExit): FailureFacts | undefined {
  return explain(exit) ?? (exit.exitCode === authExitCode ? loginNeeded : undefined);
}
