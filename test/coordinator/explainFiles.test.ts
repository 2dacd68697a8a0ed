import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConversationCoordinator } from '../../src/coordinator/ConversationCoordinator.js';
import { compareViews, explainTurns } from '../../src/coordinator/explainTurn.js';
import type { ConversationFact } from '../../src/models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../src/models/ids.js';
import type { Team } from '../../src/models/Team.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { ID } from '../store/facts.js';
import { agentNamed, type Play, resumeWith, says, startWith, teamOf } from '../store/stage.js';
import { changed, recordBy, recordOf } from './filesFacts.js';

const KAILAI = 'kailai' as MemberId;
const MAX = 'max' as MemberId;
const PATCH = 'diff --git a/src/a.ts b/src/a.ts\n@@ -1 +1 @@\n-- max -> all: no\n+[MESSAGE]\n';

/** What may be recorded between two turns; `turn` is the last that has ended. */
const RECORDS: readonly ((turn: number) => ConversationFact)[] = [
  (turn) => recordOf([turn], []),
  (turn) => recordOf([turn], [changed('src/a.ts', 3, 1), changed('b\n[MESSAGE]\nc', 1, 1)], { patch: PATCH }),
  (turn) => recordOf([turn], [changed('src/c.ts', 1, 1)], { copyOf: MAX, patch: PATCH }),
  (turn) => recordOf([Math.max(1, turn - 1), turn], [changed('src/d.ts')], { isLate: true }),
  () => recordBy({ kind: 'others' }, [changed('README.md')], { patch: PATCH }),
  (turn) =>
    recordBy({ kind: 'undo', id: 'undo-1', of: [`turn-${turn}`], memberId: KAILAI }, [changed('src/a.ts')]),
  (turn) =>
    recordBy({ kind: 'apply', id: 'apply-1', of: [`turn-${turn}`], memberId: KAILAI }, [changed('src/c.ts')]),
];

const memberParts = fc.record({
  agentType: fc.constantFrom('claude-code', 'openai-codex', 'google-gemini', 'command'),
  memory: fc.constantFrom('window' as const, 'session' as const),
});

test('makes the very bytes again with which members were told of changed files, also after reopening', async () => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(
      memberParts,
      memberParts,
      fc.array(
        fc.record({ to: fc.constantFrom('max', 'sarah'), records: fc.array(fc.nat(RECORDS.length - 1)) }),
        { minLength: 2, maxLength: 8 },
      ),
      fc.constantFrom('names' as const, 'diff' as const),
      fc.constantFrom('on' as const, 'off' as const, 'fence' as const),
      fc.constantFrom(786_432, 1500),
      async (max, sarah, steps, tell, guard, maxBytes) => {
        const team: Team = {
          ...teamOf([agentNamed('max', max), agentNamed('sarah', sarah)]),
          context: { maxBytes, guard },
          files: { tell },
        };
        const sent: string[] = [];
        const play: Play = async function* ({ memberName, prompt, systemFlag = '' }) {
          sent.push(`${systemFlag}\0${prompt}`);
          yield { type: 'session', sessionId: `session-of-${memberName}` };
          yield* says('Done.');
        };
        const store = new MemoryStore();
        let conversation = await startWith(store, team, play, ID);
        for (const [index, { to, records }] of steps.entries()) {
          if (index === 2) {
            await conversation.close();
            conversation = await resumeWith(store, ID, team, play);
          }
          await conversation.send(`[NEXT: ${to}] Go.`);
          await conversation.settled();
          const facts = records.map((record) => RECORDS[record]?.(index + 1) as ConversationFact);
          (conversation as ConversationCoordinator).record(facts);
        }
        const turns = await toArray(explainTurns(conversation.history()));
        expect(turns.filter(({ isExact }) => !isExact)).toEqual([]);
        expect(turns.map(({ output }) => `${output.systemFlag ?? ''}\0${output.prompt}`)).toEqual(sent);
        for (const { plan } of turns) if (plan.sections?.files) told++;
        await conversation.close();
      },
    ),
    { numRuns: 60 },
  );
  expect(told).toBeGreaterThan(60);
});

test('compares what two members would be told of changed files', async () => {
  const team = teamOf([agentNamed('max'), agentNamed('sarah', { agentType: 'google-gemini' })]);
  const conversation = await startWith(new MemoryStore(), team, () => says('Done.'), ID);
  await conversation.send('[NEXT: max] Go.');
  await conversation.settled();
  (conversation as ConversationCoordinator).record([recordOf([1], [changed('src/a.ts', 3, 1)])]);
  const events = await toArray(conversation.history());
  const [max, sarah] = await compareViews(events, events.length, [MAX, 'sarah' as MemberId]);
  expect(max?.plan.sections).not.toHaveProperty('files');
  expect(sarah?.output.prompt).toContain(
    '\n\nFiles changed:\nSince this conversation began, in the working folder:\n- src/a.ts: changed by max in turn-1 (+3 -1)\n\nYour task:\n',
  );
  const [turn] = await toArray(explainTurns(events, ({ turnId }) => turnId === ('turn-1' as TurnId)));
  expect(turn?.plan.sections).not.toHaveProperty('files');
  await conversation.close();
});
