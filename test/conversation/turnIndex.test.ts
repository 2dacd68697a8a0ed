import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyFact, INITIAL_STATE } from '../../src/conversation/ConversationState.js';
import { findRecentTurn, MOST_RECENT_TURNS, TurnIndex } from '../../src/conversation/turnIndex.js';
import type { ConversationFact, TurnEnd, TurnStart } from '../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import { tries } from '../tier.js';

const triggeredBy = 'msg-1' as MessageId;
const prompt: TurnStart['prompt'] = { bytes: 1, sha256: '', latestMessageId: triggeredBy, session: 'new' };
const turnName = (number: number) => `turn-${number}` as TurnId;

const start = fc.record({
  kind: fc.constant('start' as const),
  memberId: fc.constantFrom('max' as MemberId, 'sarah' as MemberId, 'tests' as MemberId),
  /** How many turns ago the one started that it checks; 0: it is no check. */
  checksBack: fc.nat(3),
  blindRound: fc.option(fc.constant(turnName(1)), { nil: undefined }),
  copy: fc.option(fc.constant(true as const), { nil: undefined }),
});
const end = fc.record({
  kind: fc.constant('end' as const),
  turn: fc.nat(30),
  result: fc.constantFrom<TurnEnd['result']>(
    { kind: 'completed', messageId: 'msg-2' as MessageId },
    { kind: 'completed', messageId: null },
    { kind: 'cancelled', draft: '' },
  ),
});

/** Each turn starts once; any turn may end, also one that never started. */
const logs = fc.array(fc.oneof({ weight: 2, arbitrary: start }, end), { maxLength: 250 }).map((steps) => {
  let started = 0;
  return steps.map((step): TurnStart | TurnEnd => {
    if (step.kind === 'end')
      return {
        type: 'turn-end',
        turnId: turnName(step.turn),
        memberId: 'max' as MemberId,
        result: step.result,
        milliseconds: 1,
      };
    started += 1;
    const checks = step.checksBack > 0 ? turnName(started - step.checksBack) : undefined;
    const { memberId, blindRound, copy } = step;
    return {
      type: 'turn-start',
      turnId: turnName(started),
      memberId,
      triggeredBy,
      prompt,
      checks,
      blindRound,
      copy,
    };
  });
});

/** A turn as the log itself tells of it. */
function lookUp(log: readonly ConversationFact[], turnId: TurnId): object | undefined {
  const at = log.findIndex((fact) => fact.type === 'turn-start' && fact.turnId === turnId);
  const found = log[at];
  if (found?.type !== 'turn-start') return undefined;
  const { memberId, blindRound, checks } = found;
  const ends = log.slice(at).filter((fact) => fact.type === 'turn-end' && fact.turnId === turnId);
  const last = ends.at(-1);
  const result = last?.type === 'turn-end' ? last.result : undefined;
  return {
    turnId,
    memberId,
    triggeredBy,
    blindRound,
    checks,
    copyOf: found.copy && (copyOf(log, checks) ?? memberId),
    result: result?.kind,
    messageId: result?.kind === 'completed' ? (result.messageId ?? undefined) : undefined,
  };
}

function copyOf(log: readonly ConversationFact[], turnId: TurnId | undefined): MemberId | undefined {
  const found = log.find((fact) => fact.type === 'turn-start' && fact.turnId === turnId);
  if (found?.type !== 'turn-start' || !found.copy) return undefined;
  return copyOf(log, found.checks) ?? found.memberId;
}

describe('the index of turns', () => {
  test('of a log says of every turn what the log says, in the order in which they started', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const index = new TurnIndex();
        for (const fact of log) index.note(fact);
        const started = log.flatMap((fact) => (fact.type === 'turn-start' ? fact.turnId : []));
        expect(index.turns).toEqual(started.map((turnId) => lookUp(log, turnId)));
        expect(started.map((turnId) => index.find(turnId))).toEqual(index.turns);
        expect(index.find('turn-0')).toBeUndefined();
      }),
      { numRuns: tries(300) },
    );
  });

  test('that a conversation keeps is its end', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const { turns } = log.reduce<typeof INITIAL_STATE>(applyFact, INITIAL_STATE);
        const index = new TurnIndex();
        for (const fact of log) index.note(fact);
        expect(turns).toEqual(index.turns.slice(-MOST_RECENT_TURNS));
        for (const turn of turns) expect(findRecentTurn(turns, turn.turnId)).toBe(turn);
      }),
      { numRuns: tries(300) },
    );
  });
});
