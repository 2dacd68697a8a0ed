import { expect, test } from 'vitest';
import {
  describeMemberState,
  isAnyoneWorking,
} from '../../../../src/frontends/web/page/panels/memberStates.js';
import type { ConversationFact, RecordedEvent } from '../../../../src/models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../../../src/models/ids.js';
import { memberOf, NEW_TELLING } from '../../../../src/presentation/Telling.js';
import { tell } from '../../../../src/presentation/tell.js';
import { message, queued, start, turnEnd, turnStart } from '../../../store/facts.js';

const turn = { turnId: 'turn-1' as TurnId, memberId: 'max' as MemberId };
const asks: ConversationFact = {
  ...{ type: 'turn-activity', ...turn },
  event: { type: 'permission-request', requestId: 'r', name: 'Ba\u202esh', input: 'ls', isOpen: true },
};
const failed: ConversationFact = {
  ...turnEnd(1),
  result: { kind: 'failed', failure: { code: 'AGENT_ERROR', reason: 'outage', detail: '' }, draft: '' },
};

test.each<[string, string, readonly ConversationFact[]]>([
  ['idle', 'ready', [message(1)]],
  ['queued', 'queued, next', [message(1), queued(1)]],
  ['working', 'working · 12 s', [message(1), queued(1), turnStart(1)]],
  ['waiting', 'waiting for approval: Ba<U+202E>sh', [message(1), queued(1), turnStart(1), asks]],
  ['failed', 'failed', [message(1), queued(1), turnStart(1), failed]],
  ['idle', 'ready', [message(1), queued(1), turnStart(1), turnEnd(1), message(2, 'Done.', 'max')]],
])('%s: %s', (kind, text, facts) => {
  const telling = tellAll([start(), ...facts]);
  expect(describeMemberState(telling, memberOf(telling, 'max'), 12_000)).toMatchObject({ kind, text });
  expect(isAnyoneWorking(telling)).toBe(kind === 'working' || kind === 'waiting');
});

test('a person who is asked for is asked to reply', () => {
  const telling = tellAll([
    start(),
    message(1),
    { type: 'waiting-for-human', memberIds: ['kailai' as MemberId], named: true },
  ]);
  expect(describeMemberState(telling, memberOf(telling, 'kailai'), 0)).toMatchObject({ kind: 'awaited' });
});

function tellAll(facts: readonly ConversationFact[]) {
  return facts.reduce(
    (telling, fact, index) =>
      tell(telling, { ...fact, v: 1, seq: index + 1, at: 0 } as RecordedEvent).telling,
    NEW_TELLING,
  );
}
