import type { DialectFailure, UnexplainedExit } from '../Dialect.js';
import { type ExitExplanation, explainByTable } from '../failures.js';

export const loginHint = 'Run `claude` and type /login, or set ANTHROPIC_API_KEY.';

const explanations: readonly ExitExplanation[] = [
  {
    pattern: /No conversation found/i,
    code: 'SESSION_UNKNOWN',
    hint: 'Start a new session: the whole conversation is sent instead.',
  },
  {
    // Versions before this option cannot be told to take the new system text on resume.
    pattern: /^error: unknown option '--system-prompt-snapshot'/,
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
