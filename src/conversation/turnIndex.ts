import type { ConversationFact, TurnEnd, TurnResult, TurnStart } from '../models/ConversationEvent.js';
import type { MemberId, MessageId } from '../models/ids.js';

/** A turn that has started: everything that is asked about it while it runs, and after its end. */
export interface IndexedTurn
  extends Pick<TurnStart, 'turnId' | 'memberId' | 'triggeredBy' | 'blindRound' | 'checks'> {
  /** The member in whose copy of the folder it works. Absent: in the folder itself. */
  readonly copyOf?: MemberId | undefined;
  /** Absent: it has not ended. */
  readonly result?: TurnResult['kind'];
  /** The message that it became. */
  readonly messageId?: MessageId | undefined;
}

/** The turns that started last, oldest first: the part of the index that the fold keeps, and a checkpoint saves. */
export type RecentTurns = readonly IndexedTurn[];

/** More than any round has: records and checks ask about turns of the latest one. */
export const MOST_RECENT_TURNS = 100;

/** The turns after one more fact. */
export function indexFact(turns: RecentTurns, fact: ConversationFact): RecentTurns {
  if (fact.type === 'turn-start') {
    const started = startTurn(fact, findRecentTurn(turns, fact.checks));
    return [...turns.slice(1 - MOST_RECENT_TURNS), started];
  }
  if (fact.type !== 'turn-end') return turns;
  return turns.map((turn) => (turn.turnId === fact.turnId ? endTurn(turn, fact) : turn));
}

export function findRecentTurn(turns: RecentTurns, turnId: string | undefined): IndexedTurn | undefined {
  return turns.findLast((turn) => turn.turnId === turnId);
}

/** The index of a whole log, for those who read one; noting a fact takes the same time at any length. */
export class TurnIndex {
  readonly #turns = new Map<string, IndexedTurn>();

  note(fact: ConversationFact): void {
    if (fact.type === 'turn-start') this.#turns.set(fact.turnId, startTurn(fact, this.find(fact.checks)));
    if (fact.type !== 'turn-end') return;
    const turn = this.#turns.get(fact.turnId);
    if (turn !== undefined) this.#turns.set(fact.turnId, endTurn(turn, fact));
  }

  find(turnId: string | undefined): IndexedTurn | undefined {
    return turnId === undefined ? undefined : this.#turns.get(turnId);
  }

  /** In the order in which they started. */
  get turns(): readonly IndexedTurn[] {
    return [...this.#turns.values()];
  }
}

/** A check works where the turn that it checks did. */
function startTurn(
  { turnId, memberId, triggeredBy, blindRound, checks, copy }: TurnStart,
  checked: IndexedTurn | undefined,
): IndexedTurn {
  const copyOf = copy && (checked?.copyOf ?? memberId);
  return { turnId, memberId, triggeredBy, blindRound, checks, copyOf };
}

function endTurn(turn: IndexedTurn, { result }: TurnEnd): IndexedTurn {
  const messageId = result.kind === 'completed' ? (result.messageId ?? undefined) : undefined;
  return { ...turn, result: result.kind, messageId };
}
