import { describe, expect, it, test } from 'vitest';
import { filesToCommit } from '../../../src/files/actions/commitFiles.js';
import {
  findLaterChange,
  joinChanges,
  nextUnitName,
  readFileHistory,
} from '../../../src/files/changes/fileHistory.js';
import { applySteps, undoSteps } from '../../../src/files/changes/fileSteps.js';
import {
  parseUnits,
  selectNewest,
  selectUndoable,
  selectUnits,
} from '../../../src/files/changes/selectUnits.js';
import type { ConversationFact, FilesRecorded } from '../../../src/models/ConversationEvent.js';
import type { ChangedBy, FileChange } from '../../../src/models/FileChange.js';
import type { MemberId } from '../../../src/models/ids.js';

/** The error that this throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const kim = 'kim' as MemberId;

/** `a:1>2` changes a file from one content to another; `-` is no file. */
function changed(text: string): FileChange {
  const [path = '', states = ''] = text.split(':');
  const [before, after] = states.split('>').map((id) => (id === '-' ? undefined : { mode: '100644', id }));
  const change = before === undefined ? 'add' : after === undefined ? 'delete' : 'update';
  return { path, change, ...(before && { before }), ...(after && { after }) };
}

function recorded(by: ChangedBy, files: string, more: Partial<FilesRecorded> = {}): ConversationFact {
  return { type: 'files-recorded', by, files: files.split(' ').filter(Boolean).map(changed), ...more };
}

function turn(number: number, files: string, more: Partial<FilesRecorded> = {}): ConversationFact[] {
  const turnId = `turn-${number}`;
  const start = { type: 'turn-start', turnId, memberId: number % 2 === 0 ? 'max' : 'ada' };
  const facts = [
    start,
    { type: 'turn-end', turnId, result: { kind: 'completed', messageId: null } },
  ] as unknown as ConversationFact[];
  return [...facts, recorded({ kind: 'turns', turnIds: [turnId] } as unknown as ChangedBy, files, more)];
}

function undo(number: number, of: string, files: string): ConversationFact {
  return recorded({ kind: 'undo', id: `undo-${number}`, of: of.split(' '), memberId: kim }, files);
}

const others = (files: string) => recorded({ kind: 'others' }, files);
const person = {
  type: 'message-added',
  message: { speaker: { type: 'human' } },
} as unknown as ConversationFact;

test('a record that was imported changes no file, also in forks of it', async () => {
  const imported = [...turn(1, 'a:->1'), ...turn(2, 'b:->1', { copyOf: 'max' as MemberId })];
  const own = turn(4, 'b:1>2', { copyOf: 'max' as MemberId });
  const forked = (more: object) =>
    ({ type: 'conversation-forked', from: 'x', upTo: 9, ...more }) as unknown as ConversationFact;
  for (const [facts, restoredSeq] of [
    [[...imported, ...own], 6],
    [[...imported, forked({}), ...own], 7],
    [[...imported, forked({ importedUpTo: 6 }), ...own], 6],
  ] as const) {
    const history = await readFileHistory(facts, restoredSeq);
    for (const refused of [
      () => undoSteps(history, {}),
      () => undoSteps(history, { what: 'all' }),
      () => applySteps(history, { what: '2' }),
      () => filesToCommit(history, { what: '1' }),
    ])
      expect(thrownBy(refused)).toMatchObject({ code: 'CONTENT_NOT_KEPT' });
    expect(applySteps(history, { what: '4' }).steps).toMatchObject([{ path: 'b', to: { id: '2' } }]);
  }
  const ownFork = await readFileHistory([...imported, forked({})], 6);
  expect(undoSteps(ownFork, {}).steps).toMatchObject([{ path: 'a' }]);
});

describe('the history of files', () => {
  it('knows what is undone, file by file', async () => {
    const { units } = await readFileHistory([...turn(1, 'a:1>2 b:1>2'), undo(1, 'turn-1', 'a:2>1')]);
    expect(units.map(({ undone }) => [...undone])).toEqual([['a'], []]);
  });

  it('takes the undo of an undo for a redo, and so on', async () => {
    const facts = [...turn(1, 'a:1>2'), undo(1, 'turn-1', 'a:2>1'), undo(2, 'undo-1', 'a:1>2')];
    const undoneAfter = async (more: ConversationFact[]) =>
      (await readFileHistory([...facts, ...more])).units.map(({ undone }) => undone.size);
    expect(await undoneAfter([])).toEqual([0, 1, 0]);
    expect(await undoneAfter([undo(3, 'undo-2', 'a:2>1')])).toEqual([1, 0, 1, 0]);
  });

  it('names the next undo, and who changed a file later in the same folder', async () => {
    const copy = { copyOf: 'max' as MemberId };
    const history = await readFileHistory([
      ...turn(1, 'a:1>2 b:1>2'),
      ...turn(2, 'a:2>9', copy),
      ...turn(3, 'b:2>3'),
      others('a:2>3'),
      undo(1, 'turn-3', 'b:3>2'),
    ]);
    const [first] = history.units;
    if (first === undefined) throw new Error('no unit');
    expect(findLaterChange(history, first, 'a')?.by.kind).toBe('others');
    expect(findLaterChange(history, first, 'b')?.names).toEqual(['undo-1']);
    expect(nextUnitName(history, 'undo')).toBe('undo-2');
    expect(nextUnitName(history, 'apply')).toBe('apply-1');
  });
});

describe('what a person means', () => {
  it.each([
    ['4', { kind: 'one', name: 'turn-4' }],
    ['turn-4', { kind: 'one', name: 'turn-4' }],
    ['４', { kind: 'one', name: 'turn-4' }],
    ['undo-1', { kind: 'one', name: 'undo-1' }],
    ['Apply-12', { kind: 'one', name: 'apply-12' }],
    ['4..7', { kind: 'range', from: 4, to: 7 }],
    ['turn-4..turn-7', { kind: 'range', from: 4, to: 7 }],
    ['4..', { kind: 'range', from: 4, to: Number.POSITIVE_INFINITY }],
    ['new', { kind: 'new' }],
    ['all', { kind: 'all' }],
    ['7..4', null],
    ['..4', null],
    ['4-7', null],
    ['HEAD~1', null],
    ['', null],
  ])('by "%s" is read', (typed, meant) => {
    expect(parseUnits(typed)).toEqual(meant);
  });

  const facts = [
    ...turn(1, 'a:1>2'),
    others('a:2>3'),
    ...turn(2, ''),
    undo(1, 'turn-1', 'a:2>1'),
    person,
    ...turn(3, 'b:->1'),
    ...turn(4, 'c:->1', { copyOf: 'max' as MemberId }),
  ];

  it.each([
    ['1', ['turn-1']],
    ['1..2', ['turn-1', 'turn-2']],
    ['1..3', ['turn-1', 'turn-2', 'undo-1', 'turn-3']],
    ['2..', ['turn-2', 'undo-1', 'turn-3', 'turn-4']],
    ['new', ['turn-3', 'turn-4']],
    ['all', ['turn-1', 'turn-2', 'undo-1', 'turn-3', 'turn-4']],
    ['8..9', []],
  ])('by "%s" is found, without what others did', async (typed, names) => {
    const { units } = selectUnits(await readFileHistory(facts), typed);
    expect(units.flatMap((unit) => unit.names)).toEqual(names);
  });

  it('by nothing is the newest turn that changed files, and what can be undone in the folder', async () => {
    expect(selectNewest(await readFileHistory(facts)).what).toBe('turn-4');
    expect(selectUndoable(await readFileHistory(facts)).what).toBe('turn-3');
    const undone = await readFileHistory([...turn(1, 'a:1>2'), undo(1, 'turn-1', 'a:2>1')]);
    expect(thrownBy(() => selectUndoable(undone))).toMatchObject({ code: 'NOTHING_TO_UNDO' });
  });

  it('is refused with what can be named', async () => {
    const history = await readFileHistory(facts);
    expect(thrownBy(() => selectUnits(history, '9'))).toMatchObject({
      code: 'UNKNOWN_CHANGE',
      facts: { what: '9', known: ['turn-1', 'undo-1', 'turn-3', 'turn-4'] },
    });
    const unrecorded = await readFileHistory(facts.filter(({ type }) => type !== 'files-recorded'));
    expect(thrownBy(() => selectUnits(unrecorded, '2'))).toMatchObject({ code: 'FILES_NOT_RECORDED' });
    expect(thrownBy(() => selectNewest(unrecorded))).toMatchObject({ code: 'FILES_NOT_RECORDED' });
  });
});

describe('changes of several units', () => {
  it('are one change, unless others changed the file in between', async () => {
    const { units } = await readFileHistory([
      ...turn(1, 'a:1>2 b:->1 c:1>2'),
      others('c:2>3'),
      ...turn(2, 'a:2>3 b:1>- c:3>4'),
    ]);
    const joined = joinChanges(units.filter(({ by }) => by.kind === 'turns'));
    expect(joined).toEqual([[changed('a:1>3'), changed('c:1>2')], [changed('c:3>4')]]);
  });
});
