import type { DialectFailure, UnexplainedExit } from '../dialect/Dialect.js';
import { type ExitExplanation, explainByTable, sessionUnknownHint } from '../dialect/failures.js';

export const codexLoginHint = 'Run `codex login`, or set CODEX_API_KEY.';

/** Codex has no word for it apart from the sentence. */
export function isCodexLoginMessage(message: string): boolean {
  return /Unauthorized|Missing environment variable|codex login|(?:log|sign) in again|not logged in/i.test(
    message,
  );
}

const explanations: readonly ExitExplanation[] = [
  {
    pattern: /^Error: thread\/(?:resume|fork).*failed|no rollout found/i,
    code: 'SESSION_UNKNOWN',
    hint: sessionUnknownHint,
  },
  { pattern: /^(?:Error: )?not logged in|codex login/i, code: 'AUTH', hint: codexLoginHint },
  {
    pattern: /^error: (?:unexpected argument|unrecognized subcommand)|unknown feature flag/i,
    code: 'AGENT_ERROR',
    hint: 'Update Codex: it does not know an option Huddle needs.',
  },
  { pattern: /^Error loading config/i, code: 'AGENT_ERROR', hint: "Correct Codex's own config.toml." },
];

export function explainCodexExit({ stderr }: UnexplainedExit): DialectFailure | undefined {
  return explainByTable(explanations, stderr);
}
