import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRecord } from '../../../../src/files/recorder/filesFacts.js';
import type { Workspace } from '../../../../src/files/Workspace.js';
import { findFileChanges } from '../../../../src/frontends/web/reading/findFileChanges.js';
import type { FileChanges } from '../../../../src/frontends/web/wire.js';
import type { ConversationFact, RecordedEvent } from '../../../../src/models/ConversationEvent.js';
import type { ChangedBy } from '../../../../src/models/FileChange.js';
import type { MemberId, TurnId } from '../../../../src/models/ids.js';
import { toAsync } from '../../../../src/utils/AnyIterable.js';
import { makeRepository } from '../../../files/repository.js';
import { openTestWorkspace, recordTurn } from '../../../files/workspaces.js';
import { start, turnEnd, turnStart } from '../../../store/facts.js';

const HOSTILE = [
  'a\nb.txt',
  'tab\there.txt',
  '"quoted" \\.txt',
  '\u202egnp.exe',
  '</pre><script>.js',
  'ü b/c.txt',
];

test('files have their own part of the patch, whatever their names', async () => {
  const folder = makeRepository({ 'README.md': 'hello\n' });
  const workspace = await openTestWorkspace(folder);
  folder.write(Object.fromEntries(HOSTILE.map((name) => [name, `in ${JSON.stringify(name)}\n`])));
  const { files, units } = await changesOf([await recordOf(workspace, 1)], 'turn-1');
  expect(units).toEqual([{ name: 'turn-1', memberName: 'max' }]);
  expect(files.map(({ path }) => path)).toEqual(HOSTILE.toSorted());
  for (const { path, change, added, parts, note } of files) {
    expect([change, added, parts.length, note]).toEqual(['add', 1, 1, undefined]);
    expect(parts[0]?.patch.split('\n').at(-2)).toBe(`+in ${JSON.stringify(path)}`);
  }
});

test('line ends of another system and a missing one at the end are kept as they are', async () => {
  const folder = makeRepository({ 'dos.txt': 'one\r\ntwo\r\n', 'open.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'dos.txt': 'one\r\n2\r\n', 'open.txt': 'one' });
  const { files } = await changesOf([await recordOf(workspace, 1)], 'turn-1');
  expect(files.map(({ parts }) => parts[0]?.patch.split('@@\n')[1])).toEqual([
    ' one\r\n-two\r\n+2\r\n',
    '-one\n+one\n\\ No newline at end of file\n',
  ]);
});

test('files without lines say why: binary, secret names, too large, moved', async () => {
  const folder = makeRepository({ 'moved.txt': 'long\nenough\nto be known\n' });
  const workspace = await openTestWorkspace(folder, undefined, { maxFileBytes: 1000 });
  folder.write({ '.env': 'KEY=1\n', 'b.png': Buffer.from([0, 1, 2, 255]), 'large.txt': 'x'.repeat(2000) });
  renameSync(join(folder.folder, 'moved.txt'), join(folder.folder, 'there.txt'));
  const { files } = await changesOf([await recordOf(workspace, 1)], 'turn-1');
  expect(files.map(({ path, note, parts }) => [path, note, parts.length])).toEqual([
    ['.env', 'secret', 0],
    ['b.png', 'binary', 0],
    ['large.txt', 'not-kept', 0],
    ['moved.txt', 'moved', 0],
    ['there.txt', undefined, 1],
  ]);
  expect(JSON.stringify(files)).not.toContain('KEY=1');
});

test('a patch that was cut says so: at the files that are missing, or at the one that is too long alone', async () => {
  const lines = (count: number) => `${'a line of text\n'.repeat(count)}`;
  const folder = makeRepository();
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'a.txt': lines(10_000), 'b.txt': lines(10_000) });
  const first = await recordOf(workspace, 1);
  folder.write({ 'c.txt': lines(30_000) });
  const second = await recordOf(workspace, 2);
  expect(notesOf(await changesOf([first, second], 'turn-1'))).toEqual([
    ['a.txt', undefined, 1],
    ['b.txt', 'cut', 0],
  ]);
  const alone = await changesOf([first, second], 'turn-2');
  expect(notesOf(alone)).toEqual([['c.txt', 'cut', 1]]);
  expect(alone.files[0]?.added).toBe(30_000);
  expect(alone.files[0]?.parts[0]?.patch.length).toBeLessThanOrEqual(256 * 1024);
});

test('over the conversation each file is listed once, with its lines turn by turn, and what was put back is left out', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'a.txt': 'two\n', 'b.txt': 'two\n', 'new.txt': '1\n' });
  const first = await recordOf(workspace, 1);
  folder.write({ 'a.txt': 'three\n' });
  const second = await recordOf(workspace, 2);
  folder.write({ 'b.txt': 'one\n' });
  const undo = await recordBy(workspace, {
    kind: 'undo',
    id: 'undo-1',
    of: ['turn-1'],
    memberId: 'kailai' as MemberId,
  });
  folder.write({ 'outside.txt': 'by someone else\n' });
  const others = await recordBy(workspace, { kind: 'others' });
  const { files, units } = await changesOf([first, second, undo, others]);
  expect(units.map(({ name, memberName }) => `${name} ${memberName}`)).toEqual([
    'turn-1 max',
    'turn-2 max',
    'undo-1 kailai',
  ]);
  expect(files.map(({ path, units: of, added, removed }) => [path, of, added, removed])).toEqual([
    ['a.txt', ['turn-1', 'turn-2'], 2, 2],
    ['new.txt', ['turn-1'], 1, 0],
  ]);
  expect(files[0]?.parts.map(({ unit, patch }) => [unit, patch.match(/^[+-]\w+$/gmu)])).toEqual([
    ['turn-1', ['-one', '+two']],
    ['turn-2', ['-two', '+three']],
  ]);
  expect(await changesOf([first, second, undo], 'undo-1')).toMatchObject({ files: [{ path: 'b.txt' }] });
});

test('without records there are the names that agents reported, and the reason', async () => {
  const facts: ConversationFact[] = [
    reported(1, 'a.txt', 'update'),
    reported(1, '/etc/\u202ex', 'add'),
    { type: 'notice', code: 'files-not-recorded', reason: 'no-git' },
    turnEnd(1),
    reported(2, 'a.txt', 'delete'),
  ];
  expect(await changesOf(facts)).toMatchObject({
    isReportedOnly: true,
    reason: 'no-git',
    units: [],
    files: [
      { path: 'a.txt', change: 'delete', units: ['turn-1', 'turn-2'], parts: [] },
      { path: '/etc/\u202ex', change: 'add', units: ['turn-1'] },
    ],
  });
  expect(notesOf(await changesOf(facts, 'turn-2'))).toEqual([['a.txt', undefined, 0]]);
});

test('changes in a copy are those of their turn, and no part of the whole conversation', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder);
  folder.write({ 'a.txt': 'two\n' });
  const inCopy = { ...(await recordOf(workspace, 1)), copyOf: 'max' as MemberId } as ConversationFact;
  expect(await changesOf([inCopy])).toMatchObject({ files: [], units: [], inCopies: ['turn-1'] });
  expect(await changesOf([inCopy], 'turn-1')).toMatchObject({
    files: [{ path: 'a.txt' }],
    units: [{ name: 'turn-1', copyOf: 'max' }],
    inCopies: [],
  });
});

function reported(turn: number, path: string, change: 'add' | 'update' | 'delete'): ConversationFact {
  const event = { type: 'file-change', path, change } as const;
  return { type: 'turn-activity', turnId: `turn-${turn}` as TurnId, memberId: 'max' as MemberId, event };
}

function recordOf(workspace: Workspace, turn: number): Promise<ConversationFact> {
  return recordBy(workspace, { kind: 'turns', turnIds: [`turn-${turn}` as TurnId] });
}

async function recordBy(workspace: Workspace, by: ChangedBy): Promise<ConversationFact> {
  return makeRecord(await recordTurn(workspace, { withPatch: by.kind !== 'others' }), by, {});
}

function changesOf(facts: readonly ConversationFact[], turn?: string): Promise<FileChanges> {
  const events = [start(), turnStart(1), turnStart(2), ...facts].map(
    (fact, index) => ({ ...fact, v: 1, seq: index + 1, at: index }) as RecordedEvent,
  );
  return findFileChanges(() => toAsync(events), turn);
}

function notesOf({ files }: FileChanges) {
  return files.map(({ path, note, parts }) => [path, note, parts.length]);
}
