import { expect, test } from 'vitest';
import { listItems, withRunning } from '../../../../../src/frontends/web/page/log/logItems.js';
import type { PlacedTelling } from '../../../../../src/frontends/web/wire.js';
import type { ConversationEvent } from '../../../../../src/models/ConversationEvent.js';
import { NEW_TELLING, type Telling } from '../../../../../src/presentation/Telling.js';
import { tell } from '../../../../../src/presentation/tell.js';
import {
  completed,
  failedWith,
  kim,
  max,
  record,
  said,
  started,
  turn,
  turnEnded,
  turnStarted,
} from '../../../events.js';

const DAY = 24 * 3600_000;

/** The rows after some events, numbered one after the other, and the telling. */
function told(...events: readonly ConversationEvent[]): { rows: PlacedTelling[]; telling: Telling } {
  let telling = NEW_TELLING;
  const rows: PlacedTelling[] = [];
  for (const [index, event] of events.entries()) {
    const step = tell(telling, event);
    telling = step.telling;
    rows.push(...step.blocks.map((block) => ({ seq: index + 1, block })));
  }
  return { rows, telling };
}

const files = (...turnIds: ReturnType<typeof turn>[]) =>
  record({
    type: 'files-recorded',
    by: { kind: 'turns', turnIds },
    files: [{ path: 'a.ts', change: 'update', added: 1, removed: 2 }],
  } as never);

test('a running turn and the message it becomes have the same key', () => {
  const begun = [started(), said(kim, 'Hi'), turnStarted(turn(1), max)];
  const running = told(...begun);
  const items = withRunning(listItems(running.rows), running.telling.turns);
  expect(items.map(({ kind, key }) => [kind, key])).toEqual([
    ['note', 'start-1'],
    ['speech', 'msg-1'],
    ['running', 'turn-1'],
  ]);
  const ended = told(...begun, turnEnded(turn(1), max, completed), said(max, 'Hello', turn(1)));
  expect(withRunning(listItems(ended.rows), ended.telling.turns).map(({ kind, key }) => [kind, key])).toEqual(
    [
      ['note', 'start-1'],
      ['speech', 'msg-1'],
      ['speech', 'turn-1'],
    ],
  );
});

test('the files of one turn stand with its row, also if it failed; those of several are a row', () => {
  const { rows } = told(
    started(),
    turnStarted(turn(1), max),
    turnEnded(turn(1), max, failedWith('AUTH')),
    files(turn(1)),
    files(turn(1), turn(2)),
  );
  const items = listItems(rows);
  expect(items.map(({ key }) => key)).toEqual(['start-1', 'turn-1', 'files-5']);
  expect(items[1]).toMatchObject({ files: { record: { files: [{ path: 'a.ts' }] } } });
});

test('files whose turn is not among the rows are a row', () => {
  const { rows } = told(started(), files(turn(7)));
  expect(listItems(rows).map(({ key }) => key)).toEqual(['start-1', 'files-2']);
});

test('a row says that a day begins, the first one does not', () => {
  const noon = new Date(2026, 10, 15, 12).getTime();
  const at = (days: number) => ({ ...said(kim, 'Hi'), at: noon + days * DAY });
  const { rows } = told(started(), at(0), at(0), at(1), at(1));
  expect(listItems(rows).map((item) => item.kind !== 'running' && item.isNewDay)).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);
});
