import { countTurnStart, type LimitCounters, mostFailedChecks } from '../conversation/limitCounters.js';
import type { LimitName, PauseReason } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import type { Limits } from '../models/Team.js';

/** The limit that forbids another turn, if any; asked before a turn starts, so that none is ever overshot. */
export function findReachedLimit(
  counters: LimitCounters,
  limits: Limits,
): Extract<PauseReason, { kind: 'limit' }> | null {
  const counts: Readonly<Record<LimitName, number>> = {
    agentTurns: counters.turns.count,
    pairTurns: counters.turns.ofPair,
    sameAnswer: counters.answers.most,
    checkRounds: mostFailedChecks(counters),
    tokens: counters.tokens,
    usd: counters.usd,
  };
  for (const limit of Object.keys(counts) as LimitName[]) {
    const max = limits[limit];
    const count = counts[limit];
    if (max !== undefined && count >= max) return { kind: 'limit', limit, count, max };
  }
  return null;
}

/** The turns, from the first on, that may start together without one of them going past a limit. */
export function takeAllowed<Turn extends { readonly memberId: MemberId }>(
  turns: readonly Turn[],
  counters: LimitCounters,
  limits: Limits,
): Turn[] {
  const allowed: Turn[] = [];
  let counted = counters;
  for (const turn of turns) {
    if (findReachedLimit(counted, limits) !== null) break;
    allowed.push(turn);
    counted = countTurnStart(counted, turn.memberId);
  }
  return allowed;
}
