import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyFact, INITIAL_STATE } from '../../src/conversation/ConversationState.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { Limits } from '../../src/models/Team.js';
import { tries } from '../tier.js';
import { deed, live, names, play, routings, turns } from './randomConversation.js';
import { type Stage, stageInProcess } from './stage.js';
import { agent, person, team } from './teams.js';

/** The longest run of turns without a person speaking or choosing to go on. */
function longestRun(log: readonly RecordedEvent[]): number {
  let [run, longest] = [0, 0];
  for (const event of log) {
    const isPerson = event.type === 'message-added' && event.message.speaker.type === 'human';
    if (isPerson || (event.type === 'conversation-resume' && event.pastLimit)) run = 0;
    if (event.type === 'turn-start') longest = Math.max(longest, ++run);
  }
  return longest;
}

function check({ conversation, log, facts }: Stage, limits: Limits): void {
  const events = log();
  const { phase, messages, state } = conversation.snapshot();
  const { queue } = state;
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));

  const started = facts('turn-start').map(({ turnId }) => turnId);
  const ended = facts('turn-end').map(({ turnId }) => turnId);
  expect(new Set(started).size).toBe(started.length);
  expect([...ended].sort()).toEqual([...started].sort());
  const queued = facts('turns-queued').flatMap(({ turns }) => turns.map(({ turnId }) => turnId));
  const dropped = facts('turns-dropped').flatMap(({ turnIds }) => turnIds);
  const waiting = queue.map(({ turnId }) => turnId);
  expect([...started, ...dropped, ...waiting].sort()).toEqual([...queued].sort());

  expect(phase.kind).not.toBe('running');
  if (phase.kind !== 'paused') expect(queue).toEqual([]);
  expect(longestRun(events)).toBeLessThanOrEqual(limits.agentTurns);
  for (const { reason } of facts('conversation-pause')) {
    if (reason.kind === 'limit' && reason.limit !== 'usd' && reason.limit !== 'sameAnswer')
      expect(reason.count).toBe(reason.max);
  }
  const known = new Set<string>();
  for (const event of events) {
    if (event.type === 'message-added') known.add(event.message.id);
    if (event.type === 'turn-start') expect(known.has(event.triggeredBy)).toBe(true);
  }
  expect(conversation.snapshot().teamTask).toBeNull();
  expect(messages).toEqual(facts('message-added').map(({ message }) => message));
  const replayed = events.reduce(applyFact, INITIAL_STATE);
  expect(replayed).toEqual(state);
}

test('whatever agents answer and people do, a conversation settles within its limits and its log tells all of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.array(deed, { maxLength: 5 }),
      routings,
      fc.record({
        agentTurns: fc.integer({ min: 1, max: 7 }),
        pairTurns: fc.integer({ min: 2, max: 5 }),
        sameAnswer: fc.integer({ min: 2, max: 4 }),
        addressees: fc.integer({ min: 1, max: 3 }),
        queue: fc.integer({ min: 1, max: 5 }),
        usd: fc.option(fc.constantFrom(0.5, 1), { nil: undefined }),
      }),
      async (script, deeds, routing, limits) => {
        const squad = team([person(), ...names.map((name) => agent(name))], { routing, limits });
        const scene = await stageInProcess(squad, play(script));
        await live(scene, deeds);
        check(scene, squad.limits);
        await scene.conversation.close();
      },
    ),
    { numRuns: tries(500) },
  );
});

test('closed at any moment, a conversation has ended every turn that it started and says nothing more', async () => {
  await fc.assert(
    fc.asyncProperty(turns, routings, fc.nat(25), async (script, routing, moment) => {
      const squad = team([person(), ...names.map((name) => agent(name))], { routing });
      const { conversation, log, facts } = await stageInProcess(squad, play(script));
      let countdown = moment;
      conversation.subscribe(() => {
        if (countdown-- === 0) void conversation.close();
      });
      await conversation.send('[NEXT: all] Go.');
      await conversation.settled();
      await conversation.close();
      const { length } = log();
      await conversation.settled();
      expect(log()).toHaveLength(length);
      expect(
        facts('turn-end')
          .map(({ turnId }) => turnId)
          .sort(),
      ).toEqual(
        facts('turn-start')
          .map(({ turnId }) => turnId)
          .sort(),
      );
    }),
    { numRuns: tries(300) },
  );
});
