import type { FailureFacts } from '../../models/TurnOutcome.js';
import type { UnexplainedExit } from '../dialect/Dialect.js';
import { type ExitExplanation, explainByTable } from '../dialect/failures.js';

/** Codex has no word for it apart from the sentence. */
export function isCodexLoginMessage(message: string): boolean {
  return /Unauthorized|Missing environment variable|codex login|(?:log|sign) in again|not logged in/i.test(
    message,
  );
}

const explanations: readonly ExitExplanation[] = [
  {
    pattern: /^Error: thread\/(?:resume|fork).*failed|no rollout found/i,
    failure: { code: 'SESSION_UNKNOWN', reason: 'session-unknown' },
  },
  {
    pattern: /^(?:Error: )?not logged in|codex login/i,
    failure: { code: 'AUTH', reason: 'login-needed' },
  },
  {
    pattern: /^error: (?:unexpected argument|unrecognized subcommand)|unknown feature flag/i,
    failure: { code: 'AGENT_ERROR', reason: 'outdated-agent', label: 'Codex' },
  },
  {
    pattern: /^Error loading config/i,
    failure: { code: 'AGENT_ERROR', reason: 'bad-agent-settings', label: 'Codex', file: 'config.toml' },
  },
];

export function explainCodexExit({ stderr }: UnexplainedExit): FailureFacts | undefined {
  return explainByTable(explanations, stderr);
}
