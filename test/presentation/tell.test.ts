import { expect, test } from 'vitest';
import type { ConversationEvent } from '../../src/models/ConversationEvent.js';
import type { Block } from '../../src/presentation/Block.js';
import { doingOf } from '../../src/presentation/LiveTurn.js';
import { findTurn, NEW_TELLING } from '../../src/presentation/Telling.js';
import { tell } from '../../src/presentation/tell.js';
import {
  completed,
  failedWith,
  kim,
  max,
  record,
  said,
  sarah,
  started,
  turn,
  turnEnded,
  turnStarted,
} from '../frontends/events.js';
import { talkWithEverything } from '../transcript/talk.js';

function tellAll(events: readonly ConversationEvent[]) {
  const blocks: Block[] = [];
  let telling = NEW_TELLING;
  for (const event of events) {
    const step = tell(telling, event);
    telling = step.telling;
    blocks.push(...step.blocks);
  }
  return { telling, blocks };
}

const does = (event: Extract<ConversationEvent, { type: 'turn-activity' }>['event']) =>
  record({ type: 'turn-activity', turnId: turn(1), memberId: max, event });

const asks = does({ type: 'permission-request', requestId: 'r', name: 'Bash', input: 'rm', isOpen: true });
const allows = record({
  type: 'permission-decided',
  turnId: turn(1),
  memberId: max,
  requestId: 'r',
  decision: 'allowed',
  by: { kind: 'person', memberId: kim },
});

test('a message is told with all that was done in its turn', () => {
  const { blocks, telling } = tellAll([
    started(),
    turnStarted(turn(1), max),
    does({ type: 'tool-start', toolId: 't', name: 'Bash', input: 'npm test' }),
    does({ type: 'tool-end', toolId: 't', name: 'Bash', ok: false, result: 'exit 1' }),
    does({ type: 'file-change', path: 'a.ts', change: 'add' }),
    asks,
    allows,
    turnEnded(turn(1), max, completed),
    said(max, 'Done.\n\n[NEXT: sarah]', turn(1)),
  ]);
  expect(blocks.map(({ kind }) => kind)).toEqual([
    ...['start', 'tool', 'tool', 'file', 'request', 'decision', 'message'],
  ]);
  expect(blocks.at(-1)).toMatchObject({
    text: 'Done.',
    turn: {
      milliseconds: 1000,
      tools: [{ number: 1, name: 'Bash', input: 'npm test', ok: false, result: 'exit 1' }],
      files: [{ path: 'a.ts', change: 'add' }],
      permissions: [{ number: 1, requestId: 'r', decision: 'allowed', person: 'kim' }],
    },
  });
  expect(telling.turns).toEqual([]);
});

test('a running turn says what it is doing: what needs somebody first', () => {
  const running = [started(), turnStarted(turn(1), max)];
  const doing = (...events: ConversationEvent[]) => {
    const found = findTurn(tellAll([...running, ...events]).telling, turn(1));
    return found && doingOf(found);
  };
  const tool = does({ type: 'tool-start', toolId: 't', name: 'Read', input: 'a.ts' });
  expect(doing()).toEqual(['thinking', '']);
  expect(doing(tool)).toEqual(['running', 'Read']);
  expect(doing(tool, asks)).toEqual(['waiting', 'Bash']);
  expect(doing(tool, asks, allows)).toEqual(['running', 'Read']);
  expect(doing(does({ type: 'retry', message: 'overloaded' }))).toEqual(['retrying', '']);
});

test('blocks are plain data: a page can be sent them', async () => {
  const { blocks } = tellAll(await talkWithEverything());
  expect(JSON.parse(JSON.stringify(blocks))).toEqual(blocks);
});

const records = (more: Partial<Extract<ConversationEvent, { type: 'files-recorded' }>> = {}) =>
  record({
    type: 'files-recorded',
    by: { kind: 'turns', turnIds: [turn(1)] },
    files: [{ path: 'a.ts', change: 'add' }],
    ...more,
  });

test('files come after the message of their turn, with the members whose turns it were', () => {
  const { blocks } = tellAll([
    started(),
    turnStarted(turn(1), max),
    turnStarted(turn(2), sarah),
    turnEnded(turn(1), max, completed),
    said(max, 'Done.', turn(1)),
    turnEnded(turn(2), sarah, failedWith('AGENT_ERROR')),
    records({ by: { kind: 'turns', turnIds: [turn(1), turn(2)] } }),
    records({ by: { kind: 'turns', turnIds: [turn(9)] }, copyOf: sarah }),
  ]);
  expect(blocks.map(({ kind }) => kind)).toEqual(['start', 'message', 'turn', 'files', 'files']);
  expect(blocks.slice(-2)).toMatchObject([
    {
      turns: [
        { turnId: 'turn-1', member: { name: 'max' } },
        { turnId: 'turn-2', member: { name: 'sarah' } },
      ],
    },
    { turns: [{ turnId: 'turn-9' }], copyOf: { name: 'sarah' } },
  ]);
});

test('a record of nothing is not told, one of a commit alone is', () => {
  const told = [
    records({ files: [] }),
    records({ files: [], git: { files: ['hooks/pre-commit'] } }),
    records({ files: [], git: { head: { before: 'a', after: 'b' } } }),
    records({ files: [], unlisted: 3 }),
  ].map((event) => tellAll([started(), event]).blocks.length - 1);
  expect(told).toEqual([0, 0, 1, 1]);
});

test('what a person puts back or applies is told as theirs', () => {
  const { blocks } = tellAll([
    started(),
    records({ by: { kind: 'undo', id: 'undo-1', of: ['turn-1'], memberId: kim } }),
    records({ by: { kind: 'apply', id: 'apply-1', of: ['turn-1'], memberId: kim } }),
    records({ by: { kind: 'others' } }),
  ]);
  expect(blocks.slice(1)).toMatchObject([
    { turns: [], person: { name: 'kim' } },
    { turns: [], person: { name: 'kim' } },
    { turns: [] },
  ]);
});

test('the member of a turn that was cut off in an earlier session is known', () => {
  const { telling } = tellAll([started(), turnStarted(turn(1), max)]);
  const later = { ...NEW_TELLING, members: telling.members, conversation: telling.conversation };
  expect(tell(later, records({ isLate: true })).blocks).toMatchObject([
    { turns: [{ turnId: 'turn-1', member: { name: 'max' } }] },
  ]);
});
