import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { RecordedFolder, Workspace } from '../../src/files/Workspace.js';
import { isFull } from '../soak/isFull.js';
import { createRandom, playRandomTurn, readFiles } from './randomTurns.js';
import { makePlainFolder, makeRepository, readEverything, type TestFolder } from './repository.js';
import { actionsOf, openTestWorkspace, recordTurn, stepsBack, stepsOf } from './workspaces.js';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** A turn that changes files, and its record. */
async function playTurn(workspace: Workspace, change: () => void): Promise<RecordedFolder> {
  change();
  return recordTurn(workspace);
}

/** Puts records back, the newest first; gives what it did to each file. */
async function undo(
  workspace: Workspace,
  ...records: readonly RecordedFolder[]
): Promise<Record<string, string>> {
  const plan = await workspace.plan({ steps: stepsBack(...records.map(({ files }) => files)) });
  await workspace.carry(plan);
  return actionsOf(plan);
}

describe.each([
  ['a repository', makeRepository],
  ['a folder without git', makePlainFolder],
])('undo in %s', (_, make) => {
  test('puts back changed, new and deleted files, and can be undone itself', async () => {
    const folder = make({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'sub/c.txt': 'same\n' });
    const workspace = await openTestWorkspace(folder);
    const before = readFiles(folder.folder);
    const turn = await playTurn(workspace, () => {
      folder.write({ 'a.txt': 'changed\n', 'new/deep/d.txt': 'new\n' });
      rmSync(join(folder.folder, 'b.txt'));
    });
    const after = readFiles(folder.folder);
    expect(await undo(workspace, turn)).toEqual({
      'a.txt': 'write',
      'b.txt': 'write',
      'new/deep/d.txt': 'remove',
    });
    expect(readFiles(folder.folder)).toEqual(before);
    expect(existsSync(join(folder.folder, 'new'))).toBe(false);
    await undo(workspace, await recordTurn(workspace));
    expect(readFiles(folder.folder)).toEqual(after);
    expect(leftoversIn(folder)).toEqual([]);
  });

  test('keeps what somebody changed since in other lines', async () => {
    const folder = make({ 'a.txt': LINES });
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => folder.write({ 'a.txt': LINES.replace('two', '2') }));
    folder.write({ 'a.txt': LINES.replace('two', '2').replace('six', '6') });
    expect(await undo(workspace, turn)).toEqual({ 'a.txt': 'merge' });
    expect(folder.read('a.txt')).toBe(LINES.replace('six', '6'));
  });

  test('keeps that somebody made a file executable since, where it is merged', async () => {
    const folder = make({ 'run.sh': LINES });
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => folder.write({ 'run.sh': LINES.replace('two', '2') }));
    folder.write({ 'run.sh': LINES.replace('two', '2').replace('six', '6') });
    chmodSync(join(folder.folder, 'run.sh'), 0o755);
    expect(await undo(workspace, turn)).toEqual({ 'run.sh': 'merge' });
    expect(folder.read('run.sh')).toBe(LINES.replace('six', '6'));
    expect(statSync(join(folder.folder, 'run.sh')).mode & 0o111).toBe(0o111);
  });

  test('is refused as a whole when the same lines were changed since', async () => {
    const folder = make({ 'a.txt': LINES, 'b.txt': 'one\n' });
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => {
      folder.write({ 'a.txt': LINES.replace('two', '2'), 'b.txt': 'two\n', 'new.txt': '' });
    });
    folder.write({ 'a.txt': LINES.replace('two', 'TWO') });
    const before = readEverything(folder.folder);
    const plan = await workspace.plan({ steps: stepsBack(turn.files) });
    expect(actionsOf(plan)).toEqual({ 'a.txt': 'conflict', 'b.txt': 'write', 'new.txt': 'remove' });
    await expect(workspace.carry(plan)).rejects.toMatchObject({ code: 'FILES_CHANGING' });
    expect(readEverything(folder.folder)).toEqual(before);
  });

  test('of several turns keeps what somebody changed between them', async () => {
    const folder = make({ 'a.txt': LINES });
    const workspace = await openTestWorkspace(folder);
    const first = await playTurn(workspace, () => folder.write({ 'a.txt': LINES.replace('one', '1') }));
    await playTurn(workspace, () => folder.write({ 'a.txt': folder.read('a.txt').replace('four', '4') }));
    const last = await playTurn(workspace, () => {
      folder.write({ 'a.txt': folder.read('a.txt').replace('seven', '7').replace('1', 'I') });
    });
    await undo(workspace, last, first);
    expect(folder.read('a.txt')).toBe(LINES.replace('four', '4'));
  });

  test('after a person changed a file between plan and doing touches nothing', async () => {
    const folder = make({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => folder.write({ 'a.txt': 'two\n', 'b.txt': 'two\n' }));
    const plan = await workspace.plan({ steps: stepsBack(turn.files) });
    folder.write({ 'b.txt': 'three\n' });
    await expect(workspace.carry(plan)).rejects.toMatchObject({
      code: 'FILES_CHANGING',
      facts: { paths: ['b.txt'] },
    });
    expect([folder.read('a.txt'), folder.read('b.txt')]).toEqual(['two\n', 'three\n']);
    expect(leftoversIn(folder)).toEqual([]);
  });
});

describe('undo gives back', () => {
  test('a file in the place of a folder, and a folder in the place of a file', async () => {
    const folder = makeRepository({ file: 'file\n', 'folder/a.txt': 'a\n', 'folder/b/c.txt': 'c\n' });
    const workspace = await openTestWorkspace(folder);
    const before = readFiles(folder.folder);
    const turn = await playTurn(workspace, () => {
      for (const name of ['file', 'folder']) rmSync(join(folder.folder, name), { recursive: true });
      folder.write({ folder: 'a file now\n', 'file/deep/d.txt': 'd\n' });
      mkdirSync(join(folder.folder, 'file/empty'));
    });
    await undo(workspace, turn);
    expect(readFiles(folder.folder)).toEqual(before);
  });

  test('nothing where a new file of somebody else stands in the folder', async () => {
    const folder = makeRepository({ file: 'file\n' });
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => {
      rmSync(join(folder.folder, 'file'));
      folder.write({ 'file/a.txt': 'a\n' });
    });
    folder.write({ 'file/mine.txt': 'mine\n' });
    const plan = await workspace.plan({ steps: stepsBack(turn.files) });
    expect(actionsOf(plan)).toEqual({ file: 'conflict', 'file/a.txt': 'remove' });
  });

  test('links, and never writes through one', async () => {
    const folder = makeRepository({ 'sub/a.txt': 'a\n', 'sub/b.txt': 'b\n' });
    symlinkSync('sub/a.txt', join(folder.folder, 'link'));
    const outside = join(folder.dataFolder, '..', 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.txt'), 'not ours\n');
    const workspace = await openTestWorkspace(folder);
    const before = readFiles(folder.folder);
    const turn = await playTurn(workspace, () => {
      rmSync(join(folder.folder, 'link'));
      symlinkSync('sub/b.txt', join(folder.folder, 'link'));
      renameSync(join(folder.folder, 'sub'), join(folder.folder, 'moved'));
      symlinkSync(outside, join(folder.folder, 'sub'));
    });
    await undo(workspace, turn);
    expect(readFiles(folder.folder)).toEqual(before);
    expect(readdirSync(outside)).toEqual(['a.txt']);
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('not ours\n');
  });

  test('nothing where a folder was turned into a link to outside since', async () => {
    const folder = makeRepository({ 'sub/a.txt': 'a\n' });
    const outside = join(folder.dataFolder, '..', 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.txt'), 'changed\n');
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => folder.write({ 'sub/a.txt': 'changed\n' }));
    rmSync(join(folder.folder, 'sub'), { recursive: true });
    symlinkSync(outside, join(folder.folder, 'sub'));
    const plan = await workspace.plan({ steps: stepsBack(turn.files) });
    expect(actionsOf(plan)).toEqual({ 'sub/a.txt': 'conflict' });
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  test('rights as they are: 0600 stays 0600, executable as recorded', async () => {
    const folder = makeRepository({ secret: 'one\n', 'run.sh': 'one\n', '.env': 'KEY=1\n' });
    const at = (name: string): string => join(folder.folder, name);
    chmodSync(at('secret'), 0o600);
    chmodSync(at('run.sh'), 0o750);
    chmodSync(at('.env'), 0o600);
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => {
      folder.write({ secret: 'two\n' });
      chmodSync(at('run.sh'), 0o640);
      rmSync(at('.env'));
    });
    await undo(workspace, turn);
    const modes = ['secret', 'run.sh', '.env'].map((name) => (statSync(at(name)).mode & 0o777).toString(8));
    expect(modes).toEqual(['600', '750', '600']);
    expect(folder.read('secret')).toBe('one\n');
  });

  test('the bytes of line ends and of large-file pointers, whatever the attributes say', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n';
    const folder = makeRepository({
      '.gitattributes': '*.txt text eol=crlf\n*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'a.txt': 'one\r\ntwo\r\n',
      'mixed.txt': 'one\ntwo\r\n',
      'big.bin': pointer,
    });
    const workspace = await openTestWorkspace(folder);
    const before = readFiles(folder.folder);
    const turn = await playTurn(workspace, () => {
      folder.write({ 'a.txt': 'one\ntwo\n', 'mixed.txt': 'x\r\n', 'big.bin': Buffer.from([0, 1, 2, 255]) });
    });
    await undo(workspace, turn);
    expect(readFiles(folder.folder)).toEqual(before);
  });

  test('names of any bytes', async () => {
    const folder = makePlainFolder();
    const odd = Buffer.concat([
      Buffer.from(`${folder.folder}/caf`),
      Buffer.from([0xe9, 0x0a]),
      Buffer.from('"'),
    ]);
    writeFileSync(odd, 'one\n');
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => rmSync(odd));
    await undo(workspace, turn);
    expect(readFileSync(odd, 'utf8')).toBe('one\n');
  });

  test('files of a file system that does not know which are executable', async () => {
    const folder = makeRepository({ 'a.sh': 'one\n' });
    folder.git('update-index', '--chmod=+x', 'a.sh');
    folder.git('commit', '-q', '-m', 'executable');
    folder.git('config', 'core.fileMode', 'false');
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => folder.write({ 'a.sh': 'two\n' }));
    expect(await undo(workspace, turn)).toEqual({ 'a.sh': 'write' });
    expect(folder.read('a.sh')).toBe('one\n');
    expect((await recordTurn(workspace)).files).toMatchObject([
      { path: 'a.sh', after: turn.files[0]?.before },
    ]);
  });

  test('only the files that are asked for', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => folder.write({ 'a.txt': 'two\n', 'b.txt': 'two\n' }));
    await workspace.carry(await workspace.plan({ steps: stepsBack(turn.files.slice(1)) }));
    expect([folder.read('a.txt'), folder.read('b.txt')]).toEqual(['two\n', 'one\n']);
  });

  test('files of a subfolder of a repository', async () => {
    const whole = makeRepository({ 'sub/a.txt': 'one\n', 'b.txt': 'one\n' });
    const folder = join(whole.folder, 'sub');
    const workspace = await openTestWorkspace({ folder, dataFolder: whole.dataFolder });
    const turn = await playTurn(workspace, () =>
      whole.write({ 'sub/a.txt': 'two\n', 'sub/new.txt': 'new\n' }),
    );
    expect(turn.files.map(({ path }) => path)).toEqual(['a.txt', 'new.txt']);
    await undo(workspace, turn);
    expect(whole.read('sub/a.txt')).toBe('one\n');
    expect(existsSync(join(folder, 'new.txt'))).toBe(false);
  });
});

describe('what somebody does to a file while others are moved', () => {
  const MANY = Array.from({ length: 200 }, (_, index) => `${String(index).padStart(3, '0')}.txt`);
  const LAST = '199.txt';

  /** A plan that puts many files back, and what is done when the first of them is. */
  async function carryBeside(
    turn: 'update' | 'add' | 'delete',
    beside: (file: string, folder: TestFolder) => void,
  ) {
    const texts = (text: string) => Object.fromEntries(MANY.map((name) => [`sub/${name}`, text]));
    const folder = makeRepository({ 'a.txt': 'a\n', ...(turn === 'add' ? {} : texts('before\n')) });
    const workspace = await openTestWorkspace(folder);
    const { files } = await playTurn(workspace, () => {
      if (turn === 'delete') for (const name of MANY) rmSync(join(folder.folder, 'sub', name));
      else folder.write(texts('turn\n'));
    });
    const plan = await workspace.plan({ steps: stepsBack(files) });
    const first = join(folder.folder, 'sub', MANY[0] ?? '');
    const isMoved = (): boolean =>
      turn === 'add' ? !existsSync(first) : existsSync(first) && readFileSync(first, 'utf8') === 'before\n';
    const carried = workspace.carry(plan);
    while (!isMoved()) await setImmediate();
    beside(join(folder.folder, 'sub', LAST), folder);
    const { moved, left, failure } = await carried;
    expect(failure).toBeUndefined();
    expect(moved.length + left.length).toBe(MANY.length);
    expect(leftoversIn(folder)).toEqual([]);
    return { folder, left: left.map(({ path }) => path) };
  }

  test.each([
    ['a save', 'update', (file: string) => writeFileSync(file, 'mine\n')],
    [
      'a save by an editor that replaces the file',
      'update',
      (file: string) => {
        writeFileSync(`${file}~`, 'mine\n');
        renameSync(`${file}~`, file);
      },
    ],
    [
      'a save of the same length that keeps the times',
      'update',
      (file: string) => {
        const { atime, mtime } = statSync(file);
        writeFileSync(file, 'mine\n');
        utimesSync(file, atime, mtime);
      },
    ],
    ['a save of a file that would go', 'add', (file: string) => writeFileSync(file, 'mine\n')],
    ['a file where one would come back', 'delete', (file: string) => writeFileSync(file, 'mine\n')],
  ] as const)('%s is never lost', async (_, turn, beside) => {
    const { folder, left } = await carryBeside(turn, beside);
    expect(left).toEqual([`sub/${LAST}`]);
    expect(folder.read(`sub/${LAST}`)).toBe('mine\n');
    // All others are as they should be.
    if (turn !== 'add') expect(folder.read('sub/198.txt')).toBe('before\n');
    else expect(readdirSync(join(folder.folder, 'sub'))).toEqual([LAST]);
  });

  test('a folder where a file would come back stays', async () => {
    const { folder, left } = await carryBeside('delete', (file) => mkdirSync(file));
    expect(left).toEqual([`sub/${LAST}`]);
    expect(statSync(join(folder.folder, 'sub', LAST)).isDirectory()).toBe(true);
  });

  test.each([0o755, 0o600])('new rights (%o) stay, with what is in the file', async (mode) => {
    const { folder, left } = await carryBeside('update', (file) => chmodSync(file, mode));
    expect(left).toEqual([`sub/${LAST}`]);
    expect(statSync(join(folder.folder, 'sub', LAST)).mode & 0o777).toBe(mode);
    expect(folder.read(`sub/${LAST}`)).toBe('turn\n');
  });

  test('a link in the place of the folder is not followed', async () => {
    const elsewhere = makePlainFolder({ [LAST]: 'turn\n' }).folder;
    const { folder, left } = await carryBeside('update', (_, { folder: top }) => {
      renameSync(join(top, 'sub'), join(top, 'moved'));
      symlinkSync(elsewhere, join(top, 'sub'));
    });
    expect(left).toContain(`sub/${LAST}`);
    expect(readFileSync(join(elsewhere, LAST), 'utf8')).toBe('turn\n');
    expect(readdirSync(elsewhere)).toEqual([LAST]);
    expect(folder.read(`moved/${LAST}`)).toBe('turn\n');
  });

  test('a touch or another name for the file changes nothing of it', async () => {
    const { folder, left } = await carryBeside('update', (file, { folder: top }) => {
      utimesSync(file, 1, 1);
      linkSync(join(top, 'sub/198.txt'), join(top, 'another.txt'));
    });
    expect(left).toEqual([]);
    expect([folder.read(`sub/${LAST}`), folder.read('sub/198.txt')]).toEqual(['before\n', 'before\n']);
  });
});

describe('a kept content that is damaged', () => {
  test.each([
    ['empty, after the machine went down', (file: string) => writeFileSync(file, '')],
    ['cut off', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 20))],
    ['another one', (file: string, other: string) => writeFileSync(file, readFileSync(other))],
  ])('is never put back: %s', async (_, damage) => {
    const folder = makeRepository({ 'a.txt': LINES.repeat(20) });
    const workspace = await openTestWorkspace(folder);
    const turn = await playTurn(workspace, () => folder.write({ 'a.txt': 'changed\n', 'b.txt': 'new\n' }));
    const [before = '', after = ''] = [turn.files[0]?.before?.id, turn.files[0]?.after?.id].map((id = '') =>
      join(folder.dataFolder, 'files/objects', id.slice(0, 2), id.slice(2)),
    );
    chmodSync(before, 0o600);
    damage(before, after);
    const there = readFiles(folder.folder);
    await expect(undo(workspace, turn)).rejects.toMatchObject({
      code: expect.stringMatching(/^FILES_(?:CHANGING|NOT_WRITTEN)$/u),
    });
    expect(readFiles(folder.folder)).toEqual(there);
  });
});

test('an unfinished undo is finished by the next one', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' });
  const workspace = await openTestWorkspace(folder);
  const before = readFiles(folder.folder);
  const turn = await playTurn(workspace, () => {
    folder.write({ 'a.txt': 'two\n', 'b.txt': 'two\n', 'new.txt': 'new\n' });
    rmSync(join(folder.folder, 'c.txt'));
  });
  folder.write({ 'a.txt': 'one\n' });
  rmSync(join(folder.folder, 'new.txt'));
  expect(await undo(workspace, turn)).toEqual({
    'a.txt': 'none',
    'b.txt': 'write',
    'c.txt': 'write',
    'new.txt': 'none',
  });
  expect(readFiles(folder.folder)).toEqual(before);
});

test('turns of any kind are undone and done again to the byte', async () => {
  const rounds = isFull ? 400 : 4;
  for (let seed = 1; seed <= rounds; seed += 1) {
    const random = createRandom(seed);
    const folder = seed % 2 === 0 ? makeRepository({ 'a.txt': LINES }) : makePlainFolder({ 'a.txt': LINES });
    const workspace = await openTestWorkspace(folder);
    const git = seed % 2 === 0 ? readEverything(join(folder.folder, '.git')) : {};
    const states = [readFiles(folder.folder)];
    const records: RecordedFolder[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      records.push(await playTurn(workspace, () => playRandomTurn(folder.folder, random)));
      states.push(readFiles(folder.folder));
    }
    for (const [turn, record] of records.toReversed().entries()) {
      await undo(workspace, record);
      expect(readFiles(folder.folder), `seed ${seed}`).toEqual(states.at(-2 - turn));
    }
    for (const { files } of records) await workspace.carry(await workspace.plan({ steps: stepsOf(files) }));
    expect(readFiles(folder.folder), `seed ${seed}`).toEqual(states.at(-1));
    await undo(workspace, ...records.toReversed());
    expect(readFiles(folder.folder), `seed ${seed}`).toEqual(states[0]);
    if (seed % 2 === 0) expect(readEverything(join(folder.folder, '.git')), `seed ${seed}`).toEqual(git);
    expect(leftoversIn(folder)).toEqual([]);
    await workspace.close();
    rmSync(dirname(folder.folder), { recursive: true });
  }
}, 1_800_000);

function leftoversIn({ folder }: TestFolder): readonly string[] {
  return readdirSync(folder).filter(
    (name) => name.startsWith('.huddle') && lstatSync(join(folder, name)).isDirectory(),
  );
}
