import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordedFolder, Workspace } from '../../src/workspace/Workspace.js';
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
