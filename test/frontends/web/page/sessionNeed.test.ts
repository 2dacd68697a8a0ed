import { expect, test } from 'vitest';
import { type Need, needOf } from '../../../../src/frontends/web/page/state/sessionNeed.js';
import type { ListedConversation, OpenRequest } from '../../../../src/frontends/web/wire.js';
import type { TurnId } from '../../../../src/models/ids.js';

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
