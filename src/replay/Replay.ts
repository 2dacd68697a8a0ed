import type { Conversation } from '../coordinator/Conversation.js';
import type { ConversationId, MessageId, TurnId } from '../models/ids.js';
import type { Limits } from '../models/Team.js';
import type { Attempt } from './Attempt.js';

/** Everything that a replay needs from outside, whatever it asks again. */
export interface ReplayParts {
  /** Number of times that everything is asked. */
  readonly repeat: number;
  /** Limits of tokens and money, which hold over all of it. */
  readonly limits: Pick<Limits, 'usd' | 'tokens'>;
  /** Judges what came of a question, or of a turn. Never rejects. */
  readonly check?: ((question: CheckedAttempt) => Promise<CheckResult>) | undefined;
  /** Hears what is being asked, and what came of it. */
  readonly onStep?: (step: ReplayStep) => void;
  /** Stops it; what was done until then is in the result. */
  readonly signal: AbortSignal;
}

/** A check is given this, as JSON. */
export interface CheckedAttempt {
  readonly question: string;
  readonly before: Attempt;
  readonly after: Attempt;
}

/** The verdict of a check. */
export interface CheckResult {
  readonly ok: boolean;
  /** The first line it printed; empty if it printed nothing. */
  readonly line: string;
  /** Present if the program gave no verdict itself. */
  readonly problem?: 'not-started' | 'timed-out' | 'stopped';
}

export type ReplayStep =
  | {
      readonly kind: 'asking';
      readonly row: ReplayRow;
      readonly place: ReplayPlace;
      readonly conversation: Conversation;
    }
  | { readonly kind: 'checking'; readonly row: ReplayRow; readonly place: ReplayPlace }
  | { readonly kind: 'done'; readonly row: ReplayRow; readonly place: ReplayPlace };

/** Place of a question and of a run; both count from 1. */
export interface ReplayPlace {
  readonly row: number;
  readonly run: number;
}

/** A question or a turn of the recording, and what came of it each time. */
export interface ReplayRow {
  readonly id: MessageId | TurnId;
  /** The message that was answered. */
  readonly question: string;
  readonly before: Attempt;
  /** Run by run; shorter if the replay ended early. */
  readonly after: Attempt[];
  /** Verdicts on the same runs; a run without an answer has none. */
  readonly checks: (CheckResult | undefined)[];
}

/** Everything that a replay has done so far; it grows while the replay runs. */
export interface ReplayResult {
  readonly rows: readonly ReplayRow[];
  /** The sessions that it was saved as, run by run. */
  readonly conversationIds: ConversationId[];
  /** Reason why it ended before everything was asked. */
  stop: 'limit' | 'stopped' | null;
}

export function startResult(rows: readonly Pick<ReplayRow, 'id' | 'question' | 'before'>[]): ReplayResult {
  return { rows: rows.map((row) => ({ ...row, after: [], checks: [] })), conversationIds: [], stop: null };
}
