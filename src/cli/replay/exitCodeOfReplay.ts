import type { AttemptResult } from '../../replay/Attempt.js';
import type { ReplayResult } from '../../replay/Replay.js';
import { EXIT_CODES } from '../start/exitCodes.js';

/** The results of attempts that make a replay fail, the most pressing first. */
const FAILURES: readonly (readonly [AttemptResult, number])[] = [
  ['not-logged-in', EXIT_CODES.notLoggedIn],
  ['agent-missing', EXIT_CODES.agentMissing],
  ['failed', EXIT_CODES.failed],
  ['timed-out', EXIT_CODES.failed],
  ['no-recipient', EXIT_CODES.failed],
];

/** By what came of it now: another answer is no failure, an unfinished turn or a failed check is one. */
export function exitCodeOfReplay({ rows, stop }: ReplayResult): number {
  if (stop === 'limit') return EXIT_CODES.limitReached;
  if (rows.some(({ checks }) => checks.some((check) => check?.ok === false))) return EXIT_CODES.failed;
  const results = new Set(rows.flatMap(({ after }) => after.map(({ result }) => result)));
  return FAILURES.find(([result]) => results.has(result))?.[1] ?? EXIT_CODES.done;
}
