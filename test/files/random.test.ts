import { createHash } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathOf } from '../../src/files/paths.js';
import type { FileChange } from '../../src/models/FileChange.js';
import { isFull } from '../soak/isFull.js';
import { createRandom, playRandomTurn, readFiles } from './randomTurns.js';
import { makePlainFolder, makeRepository, readEverything, type TestFolder } from './repository.js';
import { openTestWorkspace, recordTurn } from './workspaces.js';

const RUNS = isFull ? 100 : 3;
const TURNS = isFull ? 10 : 6;

describe.each([
  ['a repository', () => makeRepository({ 'a.txt': 'one\n', 'sub/b': 'two\n', 'sub/deep/c d': 'three\n' })],
  ['a folder without git', () => makePlainFolder({ 'a.txt': 'one\n', 'sub/b': 'two\n' })],
])('random turns in %s', (_, make) => {
  test('every change is seen, and only changes', { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => playTurns(make(), seed)),
      { numRuns: RUNS },
    );
  });
});

/** Compares what the records say with a full walk that reads every file. */
async function playTurns(folder: TestFolder, seed: number): Promise<void> {
  const random = createRandom(seed);
  const before = readGit(folder);
  const workspace = await openTestWorkspace(folder);
  let state = readStates(folder.folder);
  for (let turn = 0; turn < TURNS; turn++) {
    playRandomTurn(folder.folder, random);
    // The same length at the same second is what a look alone would miss.
    if (random(2) === 0) folder.write({ 'same.txt': `${random(10)}` });
    if (random(4) === 0) touch(join(folder.folder, 'same.txt'));
    const now = readStates(folder.folder);
    const { files } = await recordTurn(workspace);
    expect(describeChanges(files)).toEqual(compare(state, now));
    state = now;
  }
  await workspace.close();
  expect(readGit(folder)).toEqual(before);
}

function touch(path: string): void {
  try {
    utimesSync(path, 1_000_000_000, 1_000_000_000);
  } catch {
    // It was never written in these turns.
  }
}

function readGit({ folder }: TestFolder): Record<string, string> {
  try {
    return readEverything(join(folder, '.git'));
  } catch {
    return {}; // A folder without git.
  }
}

/** Mode and id, as git has them, of every file. */
function readStates(folder: string): Record<string, string> {
  const modes: Readonly<Record<string, string>> = { file: '100644', program: '100755', link: '120000' };
  return Object.fromEntries(
    Object.entries(readFiles(folder)).map(([path, text]) => {
      const end = text.indexOf(' ');
      const content = Buffer.from(text.slice(end + 1), 'latin1');
      const id = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
      return [path, `${modes[text.slice(0, end)]} ${id}`];
    }),
  );
}

function compare(before: Record<string, string>, after: Record<string, string>): Record<string, string> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (path) => before[path] !== after[path],
  );
  return Object.fromEntries(paths.map((path) => [path, `${before[path]} > ${after[path]}`]));
}

function describeChanges(files: readonly FileChange[]): Record<string, string> {
  const show = (state: FileChange['before']) => (state ? `${state.mode} ${state.id}` : 'undefined');
  return Object.fromEntries(
    files.map((file) => [pathOf(file), `${show(file.before)} > ${show(file.after)}`]),
  );
}
