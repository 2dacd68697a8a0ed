import type { FailureFacts } from '../../models/TurnOutcome.js';
import type { UnexplainedExit } from '../dialect/Dialect.js';
import { type ExitExplanation, explainByTable } from '../dialect/failures.js';

export function isGeminiLoginMessage(message: string): boolean {
  return /UNAUTHENTICATED|PERMISSION_DENIED|API[_ ]key not valid|API_KEY_INVALID/i.test(message);
}

const loginNeeded = { code: 'AUTH', reason: 'login-needed' } as const;

const explanations: readonly ExitExplanation[] = [
  {
    pattern: /^Error resuming session/i,
    failure: { code: 'SESSION_UNKNOWN', reason: 'session-unknown' },
  },
  {
    pattern: /set an Auth method|GEMINI_API_KEY environment variable|Invalid auth method/i,
    failure: loginNeeded,
  },
  {
    pattern: /^(?:Unknown argument|Invalid values)/i,
    failure: { code: 'AGENT_ERROR', reason: 'outdated-agent', label: 'Gemini CLI' },
  },
];

/** Its exit codes with a meaning of their own; most others are an HTTP status modulo 256. */
const authExitCode = 41;

export function explainGeminiExit({ exitCode, stderr }: UnexplainedExit): FailureFacts | undefined {
  const explained = explainByTable(explanations, stderr);
  if (explained || exitCode !== authExitCode) return explained;
  return loginNeeded;
}
