import type { ConversationFact, TurnResult, TurnStart } from '../models/ConversationEvent.js';
import type { MessageId } from '../models/ids.js';

/** The turns that started last, oldest first: what is asked about a turn after it has ended. */
export type RecentTurns = readonly RecentTurn[];

/** A turn that has started. */
export type RecentTurn = Pick<
  TurnStart,
  'turnId' | 'memberId' | 'triggeredBy' | 'blindRound' | 'checks' | 'copy'
> & {
  /** Absent: it has not ended. */
  readonly result?: TurnResult['kind'];
  /** The message that it became. */
  readonly messageId?: MessageId;
};

/** More than any round has: records and checks ask about turns of the latest one. */
const MOST_TURNS = 100;

/** The turns after one more fact. */
export function rememberTurn(turns: RecentTurns, fact: ConversationFact): RecentTurns {
  switch (fact.type) {
    case 'turn-start': {
      const { turnId, memberId, triggeredBy, blindRound, checks, copy } = fact;
      const started: RecentTurn = {
        turnId,
        memberId,
        triggeredBy,
        ...(blindRound !== undefined && { blindRound }),
        ...(checks !== undefined && { checks }),
        ...(copy && { copy }),
      };
      return [...turns.slice(1 - MOST_TURNS), started];
    }
    case 'turn-end': {
      const { turnId, result } = fact;
      const messageId = result.kind === 'completed' ? result.messageId : null;
      const end = { result: result.kind, ...(messageId !== null && { messageId }) };
      return turns.map((turn) => (turn.turnId === turnId ? { ...turn, ...end } : turn));
    }
    default:
      return turns;
  }
}

export function findRecentTurn(turns: RecentTurns, turnId: string | undefined): RecentTurn | undefined {
  return turns.findLast((turn) => turn.turnId === turnId);
}

/** Whether a turn was a check. */
export function isCheck(turns: RecentTurns, turnId: string | undefined): boolean {
  return findRecentTurn(turns, turnId)?.checks !== undefined;
}
