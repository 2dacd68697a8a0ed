import { expect, test } from 'vitest';
import { compareFacts } from '../../src/cassette/compareFacts.js';
import type { Difference } from '../../src/cassette/Difference.js';
import { acceptPlay } from '../../src/cassette/makeCassette.js';
import type { PermissionDecided, RecordedEvent } from '../../src/models/ConversationEvent.js';
import { completed, kim, max, record, said, turn, turnEnded } from '../frontends/events.js';

const compare = (before: readonly unknown[], now: readonly unknown[], hasParted = false) =>
  compareFacts({
    history: [],
    before: before as RecordedEvent[],
    now: now as RecordedEvent[],
    hasParted,
    hidesQueue: false,
  }).differences;

const decided = (by: PermissionDecided['by']) =>
  record({
    type: 'permission-decided',
    turnId: turn(1),
    memberId: max,
    requestId: '1',
    decision: 'allowed',
    by,
  });

test('the same decision by someone else is a difference', () => {
  const person = { kind: 'person', memberId: kim } as const;
  const team = { kind: 'team-file' } as const;
  expect(compare([decided(person)], [decided(person)])).toEqual([]);
  expect(compare([decided(person)], [decided(team)])).toMatchObject([
    {
      kind: 'permission',
      before: { decision: 'allowed', by: person },
      now: { decision: 'allowed', by: team },
    },
  ]);
});

test('what only the recording has at its very end is a difference, unless the play ended before', () => {
  const message = said(kim, 'Go.');
  const end = turnEnded(turn(1), max, completed);
  expect(compare([message, end], [message])).toMatchObject([{ kind: 'fact', before: { type: 'turn-end' } }]);
  expect(compare([message, end], [message], true)).toEqual([]);
});

test.each(['other-member', 'not-recorded', 'never-asked'] as const)(
  'a play with turns of another order is not accepted: %s',
  (kind) => {
    const events = [said(kim, 'Go.')] as RecordedEvent[];
    expect(acceptPlay({ events, differences: [] })).toBe(events);
    expect(acceptPlay({ events, differences: [{ kind } as Difference] })).toBeUndefined();
  },
);
