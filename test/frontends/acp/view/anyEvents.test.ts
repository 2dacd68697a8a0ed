import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { NO_USAGE } from '../../../../src/conversation/usage.js';
import { ConversationView } from '../../../../src/frontends/acp/view/ConversationView.js';
import { SessionFold } from '../../../../src/frontends/acp/view/SessionFold.js';
import { UpdateQueue } from '../../../../src/frontends/acp/view/UpdateQueue.js';
import type { ActivityEvent, AgentEvent, ProgressEvent } from '../../../../src/models/AgentEvent.js';
import type {
  ConversationEvent,
  RecordedEvent,
  TurnResult,
} from '../../../../src/models/ConversationEvent.js';
import { deed, live, names, routings } from '../../../coordinator/randomConversation.js';
import { ends, stageInProcess } from '../../../coordinator/stage.js';
import { agent, person, team, WIDE } from '../../../coordinator/teams.js';
import { tries } from '../../../tier.js';
import {
  completed,
  failedWith,
  max,
  record,
  said,
  sarah,
  turn,
  turnEnded,
  turnStarted,
} from '../../events.js';
import { expectOrder, wordsOf } from './orderRules.js';

const words = fc.oneof(fc.string({ maxLength: 6, unit: 'grapheme' }), fc.constantFrom('```\n', '\n~~~\n'));
const toolId = fc.constantFrom('a', 'b');
const kind = fc.constantFrom('read', 'edit', 'nonsense');

const activity: fc.Arbitrary<ActivityEvent> = fc.oneof(
  fc.record({ type: fc.constant('tool-start' as const), toolId, name: words, input: words, kind }),
  fc.record({ type: fc.constant('tool-end' as const), toolId, name: words, ok: fc.boolean(), result: words }),
  fc.record({
    type: fc.constant('file-change' as const),
    path: words,
    change: fc.constant('update' as const),
  }),
  fc.record({ type: fc.constant('retry' as const), message: words }),
  fc.record({
    type: fc.constant('permission-request' as const),
    requestId: fc.constantFrom('r', 's'),
    name: words,
    input: words,
    isOpen: fc.boolean(),
    toolId,
  }),
  fc.record({
    type: fc.constant('todo-list' as const),
    items: fc.array(fc.record({ text: words, done: fc.boolean() })),
  }),
);
const progress: fc.Arbitrary<ProgressEvent> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('text-delta' as const), text: words }) },
  fc.record({ type: fc.constant('text' as const), text: words }),
  fc.record({ type: fc.constant('text-reset' as const) }),
  fc.record({ type: fc.constant('thinking' as const), text: words }),
  fc.record({ type: fc.constant('tool-detail' as const), toolId, output: words }),
);
const result: fc.Arbitrary<TurnResult> = fc.oneof(
  fc.constant(completed),
  words.map((draft) => failedWith('AGENT_ERROR', draft)),
  words.map((draft) => ({ kind: 'cancelled', draft }) as const),
);

/** Any event of one of two turns, in any order: also such as no conversation has. */
const event: fc.Arbitrary<ConversationEvent> = fc
  .tuple(
    fc.constantFrom([turn(1), max] as const, [turn(2), sarah] as const),
    fc.oneof(
      { weight: 6, arbitrary: progress.map((event) => ({ is: 'progress', event }) as const) },
      { weight: 3, arbitrary: activity.map((event) => ({ is: 'activity', event }) as const) },
      { weight: 1, arbitrary: result.map((result) => ({ is: 'end', result }) as const) },
      { weight: 1, arbitrary: words.map((content) => ({ is: 'message', content }) as const) },
      { weight: 1, arbitrary: fc.constant({ is: 'start' } as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('r', 's').map((requestId) => ({ is: 'decided', requestId }) as const),
      },
    ),
  )
  // biome-ignore lint/suspicious/useIterableCallbackReturn: every kind returns
  .map(([[turnId, memberId], what]): ConversationEvent => {
    switch (what.is) {
      case 'progress':
        return { type: 'turn-progress', v: 1, at: 0, turnId, memberId, event: what.event };
      case 'activity':
        return record({ type: 'turn-activity', turnId, memberId, event: what.event });
      case 'end':
        return turnEnded(turnId, memberId, what.result);
      case 'message':
        return said(memberId, what.content, turnId);
      case 'start':
        return turnStarted(turnId, memberId);
      case 'decided': {
        const { requestId } = what;
        const decision = { decision: 'denied', by: { kind: 'nobody' } } as const;
        return record({ type: 'permission-decided', turnId, memberId, requestId, ...decision });
      }
    }
  });

test('any events are shown in an order that clients can follow', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.boolean(), (events, hasNotices) => {
      const fold = new SessionFold({
        words: english,
        folder: '/work',
        hasNotices,
        usage: NO_USAGE,
        maxBytes: 4,
        hasTitle: false,
      });
      const steps = events.flatMap((each) => fold.take(each));
      expectOrder(steps.flatMap((step) => (step.kind === 'update' ? [step.update] : [])));
      const history = new SessionFold({ folder: '/work', words: english, isPast: true });
      const facts = events.filter((each): each is RecordedEvent => 'seq' in each);
      const told = facts.flatMap((fact) => history.take(fact));
      expectOrder([
        ...told.flatMap((step) => (step.kind === 'update' ? [step.update] : [])),
        ...history.end(),
      ]);
    }),
    { numRuns: tries(1000) },
  );
});

test('any events stay in that order, and lose no word, however slow the client is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30 }), fc.scheduler(), async (events, scheduler) => {
      const fold = new SessionFold({
        words: english,
        folder: '/work',
        hasNotices: false,
        usage: NO_USAGE,
        maxBytes: 4,
        hasTitle: false,
      });
      const [made, sent]: SessionUpdate[][] = [[], []];
      const queue = new UpdateQueue(scheduler.scheduleFunction(async (update) => void sent?.push(update)));
      queue.release();
      for (const each of events) {
        for (const step of fold.take(each))
          if (step.kind === 'update') {
            made?.push(step.update);
            queue.add(step.update);
          }
        if (scheduler.count() > 0 && events.indexOf(each) % 3 === 0) await scheduler.waitOne();
      }
      await scheduler.waitFor(queue.drained());
      expectOrder(sent ?? []);
      expect(wordsOf(sent ?? [])).toEqual(wordsOf(made ?? []));
    }),
    { numRuns: tries(200) },
  );
});

/** A turn of blocks, each written in pieces, with work between them. */
const blocks = fc.array(
  fc.record({
    pieces: fc.array(fc.constantFrom('Yes', ' and', ' no', '.\n', '**x**', ' [NEXT: max]'), {
      minLength: 1,
      maxLength: 4,
    }),
    isDelta: fc.boolean(),
    extra: fc.option(
      fc.oneof(
        activity.filter(({ type }) => type !== 'permission-request'),
        progress.filter(isAside),
      ),
    ),
  }),
  { maxLength: 3 },
);

function isAside({ type }: ProgressEvent): boolean {
  return type === 'thinking' || type === 'tool-detail';
}

type Blocks = typeof blocks extends fc.Arbitrary<infer Value> ? Value : never;

async function* speak(turnBlocks: Blocks): AsyncGenerator<AgentEvent> {
  for (const { pieces, isDelta, extra } of turnBlocks) {
    for (const [index, text] of pieces.entries()) {
      if (isDelta) yield { type: 'text-delta', text };
      if (index === 0 && extra !== null) yield extra;
    }
    yield { type: 'text', text: pieces.join('') };
  }
  yield ends({ kind: 'completed', text: turnBlocks.map(({ pieces }) => pieces.join('')).join('\n\n') });
}

test('the words of every turn of any conversation are those of its stored answer, and none come after its end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(blocks, { minLength: 1, maxLength: 5 }),
      fc.array(deed, { maxLength: 3 }),
      routings,
      async (turns, deeds, routing) => {
        let played = 0;
        const squad = team([person('kailai'), ...names.map((name) => agent(name))], {
          routing,
          limits: { ...WIDE, agentTurns: 6 },
        });
        const scene = await stageInProcess(squad, () => speak(turns[played++ % turns.length] ?? []));
        const sent: SessionUpdate[] = [];
        let isOver = false;
        const view = new ConversationView(
          scene.conversation,
          {
            hasNotices: true,
            update: async (update) => {
              expect(isOver).toBe(false);
              sent.push(update);
            },
            askPermission: () => Promise.reject(new Error('nothing is asked')),
          },
          { folder: '/work', words: english },
        );
        view.begin();
        await live(scene, deeds);
        await view.finish();
        isOver = true;
        await scene.conversation.close();
        view.close();
        expectOrder(sent);
        const shown = wordsOf(sent);
        for (const { turnId = '', message } of scene.facts('message-added'))
          if (message.speaker.type === 'ai' && message.content.trim() !== '')
            expect(shown.get(turnId)).toBe(message.content);
      },
    ),
    { numRuns: tries(60) },
  );
});
