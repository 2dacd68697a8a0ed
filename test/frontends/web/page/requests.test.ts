import { expect, test } from 'vitest';
import { openRequests } from '../../../../src/frontends/web/folds.js';
import { decidedOf, isWhole, namedPlace } from '../../../../src/frontends/web/page/state/requests.js';
import type { MemberId, TurnId } from '../../../../src/models/ids.js';
import type { PermissionRecord, ShownMember } from '../../../../src/presentation/Block.js';
import { type LiveTurn, startTurn } from '../../../../src/presentation/LiveTurn.js';

const KIM = { kind: 'person', memberId: 'kim' as MemberId } as const;

test('open requests are listed oldest first, whichever turn they are of', () => {
  const turns = [
    turn('turn-1', 'ann', [asked('late', 3), asked('decided', 1, 'allowed')]),
    turn('turn-2', 'bob', [asked('early', 2), asked('for nobody')]),
  ];
  expect(
    openRequests({ turns }).map(({ requestId, memberName, turnId }) => [requestId, memberName, turnId]),
  ).toEqual([
    ['early', 'bob', 'turn-2'],
    ['late', 'ann', 'turn-1'],
  ]);
});

test('an answer stays on the screen while its turn runs', () => {
  const turns = [turn('turn-1', 'ann', [asked('one', 1, 'allowed'), asked('two', 2)])];
  expect(decidedOf({ turns })).toMatchObject([{ requestId: 'one', decision: 'allowed', person: 'kim' }]);
});

test('a request whose details were not recorded is not whole', () => {
  expect(isWhole({})).toBe(false);
  expect(isWhole({ kind: 'execute' })).toBe(true);
});

test('a place is named where files are named, and never of a command', () => {
  const inside = { isInFolder: true, paths: ['src/server.ts'] };
  expect(namedPlace({ kind: 'edit', ...inside })).toBe(true);
  expect(namedPlace({ kind: 'edit', paths: ['/etc/passwd'], isInFolder: false })).toBe(false);
  expect(namedPlace({ kind: 'read', paths: [], isInFolder: true })).toBeUndefined();
  expect(namedPlace({ kind: 'execute', ...inside })).toBeUndefined();
  expect(namedPlace({ kind: 'other', command: 'rm -rf ~/*', ...inside })).toBeUndefined();
  expect(namedPlace({})).toBeUndefined();
});

function turn(turnId: string, name: string, permissions: readonly PermissionRecord[]): LiveTurn {
  const member: ShownMember = { id: name as MemberId, name, type: 'ai', place: 0 };
  return { ...startTurn(turnId as TurnId, member, 0), permissions };
}

function asked(requestId: string, number?: number, decision?: 'allowed'): PermissionRecord {
  return {
    requestId,
    name: 'Bash',
    input: 'npm test',
    ...(number !== undefined && { number }),
    ...(decision && { decision, by: KIM, person: 'kim' }),
  };
}
