import { createExitExplainer } from '../dialect/failures.js';

/** Codex has no word for it apart from the sentence. */
export function isCodexLoginMessage(message: string): boolean {
  return /Unauthorized|Missing environment variable|codex login|(?:log|sign) in again|not logged in/i.test(
    message,
  );
}

export const explainCodexExit = createExitExplainer([
  [
    /^Error: thread\/(?:resume|fork).*failed|no rollout found/i,
    { code: 'SESSION_UNKNOWN', reason: 'session-unknown' },
  ],
  [/^(?:Error: )?not logged in|codex login/i, { code: 'AUTH', reason: 'login-needed' }],
  [
    /^error: (?:unexpected argument|unrecognized subcommand)|unknown feature flag/i,
    { code: 'AGENT_ERROR', reason: 'outdated-agent', label: 'Codex' },
  ],
  [
    /^Error loading config/i,
    { code: 'AGENT_ERROR', reason: 'bad-agent-settings', label: 'Codex', file: 'config.toml' },
  ],
]);
