import { type Attempt, lastAnswer, sumUp } from '../../replay/Attempt.js';
import type { ReplayResult } from '../../replay/Replay.js';
import { totalsOf } from '../../replay/spread.js';

/** Facts about a replay that are not in its result. */
export interface ReplayHeader {
  /** Id of the recorded conversation. */
  readonly replayOf: string;
  readonly team: string;
  readonly mode: 'messages' | 'turns';
  /** Names of recorded members that are not in the team. */
  readonly missingMembers: readonly string[];
  /** Recorded turns that were not asked for. */
  readonly leftOut: readonly string[];
}

/** Everything that a replay found, for programs. */
export function describeReplay(header: ReplayHeader, result: ReplayResult): object {
  const { rows, conversationIds, stop } = result;
  return {
    ...header,
    stop,
    runs: conversationIds.map((conversationId) => ({ conversationId })),
    rows: rows.map(({ id, question, before, after, checks }) => ({
      id,
      question,
      before: describeAttempt(before),
      after: after.map(describeAttempt),
      checks: checks.map((check) => check ?? null),
    })),
    totals: totalsOf(result),
  };
}

/** An attempt for programs: also checks are given it so. */
export function describeAttempt(attempt: Attempt): object {
  const { turns, ...ended } = attempt;
  const { turns: _, ...figures } = sumUp(turns);
  return { ...ended, answer: lastAnswer(attempt), ...figures, turns };
}
