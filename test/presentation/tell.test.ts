import { expect, test } from 'vitest';
import type { ConversationEvent } from '../../src/models/ConversationEvent.js';
import type { Block } from '../../src/presentation/Block.js';
import { doingOf } from '../../src/presentation/LiveTurn.js';
import { findTurn, NEW_TELLING } from '../../src/presentation/Telling.js';
import { tell } from '../../src/presentation/tell.js';
import {
  completed,
  kim,
  max,
  record,
  said,
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
