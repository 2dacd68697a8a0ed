import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Agenda } from '../../../../src/conversation/Agenda.js';
import { leftAs } from '../../../../src/conversation/questions.js';
import { type Need, needOf } from '../../../../src/frontends/web/folds.js';
import type { ListedConversation, OpenRequest } from '../../../../src/frontends/web/wire.js';
import type { ConversationId, TurnId } from '../../../../src/models/ids.js';
import { EMPTY_TALLY, summarize } from '../../../../src/store/summary.js';

const TURN = 'turn-1' as TurnId;
const LIMIT = { kind: 'limit', limit: 'usd', count: 5, max: 5 } as const;

test.each<[Need, Partial<ListedConversation>]>([
  ['done', {}],
  ['empty', { messages: 0 }],
  ['asks', { state: 'open', running: [TURN], requests: [{} as OpenRequest] }],
  ['asks', { awaited: ['kim'] }],
  ['works', { state: 'open', running: [TURN] }],
  ['works', { state: 'open', queued: 1 }],
  ['interrupted', { state: 'interrupted', running: [TURN] }],
  ['paused', { pause: LIMIT, queued: 2 }],
  ['paused', { state: 'open', pause: LIMIT }],
  [
    'stopped',
    { state: 'open', pause: { kind: 'cancelled' }, unfinished: [{ turnId: TURN, kind: 'cancelled' }] },
  ],
  ['failed', { state: 'open', unfinished: [{ turnId: TURN, kind: 'failed' }] }],
  ['failed', { state: 'failed', queued: 1, unfinished: [{ turnId: TURN, kind: 'failed' }] }],
  ['damaged', { state: 'damaged', messages: 0 }],
])('a session is %s', (need, facts) => {
  const listed = {
    state: 'done',
    messages: 2,
    queued: 0,
    running: [],
    unfinished: [],
    pause: null,
    awaited: [],
    requests: [],
    ...facts,
  } as unknown as ListedConversation;
  expect(needOf(listed)).toBe(need);
});

test('a session that no process has open is what the list of the terminal calls it', () => {
  const kinds = fc.constantFrom('failed', 'cancelled', 'timed-out', 'interrupted');
  const agendas = fc.record({
    running: fc.array(fc.constant({ turnId: TURN }), { maxLength: 1 }),
    queue: fc.array(fc.constant({ turnId: TURN }), { maxLength: 1 }),
    unfinished: fc.array(fc.record({ turn: fc.constant({ turnId: TURN }), kind: kinds }), { maxLength: 2 }),
    pause: fc.constantFrom(null, LIMIT, { kind: 'cancelled' }),
    awaited: fc.constantFrom(null, { memberIds: ['kim'], named: true }),
  });
  fc.assert(
    fc.property(agendas, (agenda) => {
      const { tally, ...listed } = {
        tally: { ...EMPTY_TALLY, messages: 2, agenda: agenda as unknown as Agenda },
        requests: [],
      };
      const summary = summarize({ id: 'x' as ConversationId, tally });
      const need = needOf({ ...summary, ...listed });
      expect(need === 'asks' ? 'waiting' : need).toBe(leftAs(tally.agenda));
    }),
  );
});
