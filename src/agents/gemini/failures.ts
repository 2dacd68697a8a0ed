import type { DialectFailure, UnexplainedExit } from '../dialect/Dialect.js';
import { type ExitExplanation, explainByTable, sessionUnknownHint } from '../dialect/failures.js';

export const geminiLoginHint = 'Run `gemini` once and choose how to log in, or set GEMINI_API_KEY.';

export function isGeminiLoginMessage(message: string): boolean {
  return /UNAUTHENTICATED|PERMISSION_DENIED|API[_ ]key not valid|API_KEY_INVALID/i.test(message);
}

const explanations: readonly ExitExplanation[] = [
  {
    pattern: /^Error resuming session/i,
    code: 'SESSION_UNKNOWN',
    hint: sessionUnknownHint,
  },
  {
    pattern: /set an Auth method|GEMINI_API_KEY environment variable|Invalid auth method/i,
    code: 'AUTH',
    hint: geminiLoginHint,
  },
  {
    pattern: /^(?:Unknown argument|Invalid values)/i,
    code: 'AGENT_ERROR',
    hint: 'Update Gemini CLI: it does not know an option Huddle needs.',
  },
];

/** Its exit codes with a meaning of their own; most others are an HTTP status modulo 256. */
const authExitCode = 41;

export function explainGeminiExit({ exitCode, stderr }: UnexplainedExit): DialectFailure | undefined {
  const explained = explainByTable(explanations, stderr);
  if (explained || exitCode !== authExitCode) return explained;
  return { code: 'AUTH', message: 'Gemini CLI could not log in.', hint: geminiLoginHint };
}
