// F: recording what changed in a folder, and putting it back, over `git status` in the same tree; copies over `git worktree add`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openWorkspace } from '../compiled/files/openWorkspace.js';
import { goal, median, table } from './measure.mjs';

const SIZES = [1000, 7000, 20_000];
const ROUNDS = 15;
const FIRST_ROUNDS = 5;
const COPY_ROUNDS = 5;
/** Number of files from which a copy has a goal. */
const LARGE = 20_000;
/** Works that are measured over `git status`, and the heads of their columns. */
const WORKS = {
  nothing: 'nothing changed',
  six: 'six changed',
  patch: 'patch of six',
  undo: 'undo of six',
  first: 'first record',
};
const CHANGED = 6;
const GIT_ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Kim',
  GIT_AUTHOR_EMAIL: 'kim@example.org',
  GIT_COMMITTER_NAME: 'Kim',
  GIT_COMMITTER_EMAIL: 'kim@example.org',
};

export async function files() {
  console.log('\nF files: records of a repository, wall time over `git status --porcelain` there\n');
  const rows = [['files', 'git status', ...Object.values(WORKS), 'bytes a file', 'worktree add', 'copy']];
  const worst = { nothing: 0, six: 0, patch: 0, undo: 0, first: 0, bytes: 0, copy: 0 };
  for (const size of SIZES) {
    const outer = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
    try {
      const folder = join(outer, 'project');
      makeRepository(folder, size);
      const times = await measureTree(folder, outer);
      const status = times.status;
      const ratio = (name) => times[name] / status;
      for (const name of Object.keys(WORKS)) worst[name] = Math.max(worst[name], ratio(name));
      worst.bytes = Math.max(worst.bytes, times.bytes / size);
      if (size >= LARGE) worst.copy = Math.max(worst.copy, times.copy / times.worktree);
      const show = (name) => `${times[name].toFixed(1)} ms, ${ratio(name).toFixed(1)}x`;
      rows.push([
        `${size}`,
        `${status.toFixed(1)} ms`,
        ...Object.keys(WORKS).map(show),
        `${Math.round(times.bytes / size)}`,
        `${times.worktree.toFixed(0)} ms`,
        `${times.copy.toFixed(0)} ms, ${(times.copy / times.worktree).toFixed(1)}x`,
      ]);
    } finally {
      rmSync(outer, { recursive: true, force: true });
    }
  }
  table(rows);
  console.log();
  goal('F record, nothing changed, over git status', worst.nothing, 1.2, 'x');
  goal('F record, six files changed', worst.six, 2, 'x');
  goal('F patch of six files', worst.patch, 1.5, 'x');
  goal('F undo of six files', worst.undo, 1, 'x');
  goal('F first record', worst.first, 10, 'x');
  goal('F bytes after the first record, for each file', worst.bytes, 200, ' B');
  goal(`F copy of ${LARGE} files, over git worktree add`, worst.copy, 1.5, 'x');
}

/** Medians in milliseconds, everything taken in turns. */
async function measureTree(folder, outer) {
  const samples = {
    status: [],
    nothing: [],
    six: [],
    patch: [],
    undo: [],
    first: [],
    worktree: [],
    copy: [],
  };
  const take = async (name, work) => {
    const start = performance.now();
    const result = await work();
    samples[name].push(performance.now() - start);
    return result;
  };
  let bytes = 0;
  for (let round = 0; round < FIRST_ROUNDS; round++) {
    const dataFolder = join(outer, `first-${round}`);
    await take('status', () => status(folder));
    const workspace = workspaceIn(folder, dataFolder);
    await take('first', () => workspace.open());
    await workspace.close();
    bytes = sizeOf(dataFolder);
  }
  const workspace = workspaceIn(folder, join(outer, 'data'));
  await workspace.open();
  for (let round = 0; round < ROUNDS; round++) {
    await take('status', () => status(folder));
    await take('nothing', () => workspace.record());
    for (let index = 0; index < CHANGED; index++) {
      writeFileSync(join(folder, pathOf(index * 100)), contentOf(index, `round ${round}`));
    }
    const { files: changes } = await take('six', () => workspace.record());
    if (changes.length !== CHANGED) throw new Error(`${changes.length} changes instead of ${CHANGED}`);
    await take('patch', () => workspace.patch(changes));
    const steps = changes.map(({ path, before, after }) => ({ path, from: after, to: before }));
    await take('undo', async () => workspace.carry(await workspace.plan({ steps })));
    const { files: undone } = await workspace.record();
    if (undone.length !== CHANGED) throw new Error(`${undone.length} files put back instead of ${CHANGED}`);
  }
  for (let round = 0; round < COPY_ROUNDS; round++) {
    const worktree = join(outer, 'worktree');
    await take('worktree', () => runGit(folder, ['worktree', 'add', '-q', '--detach', worktree]));
    await runGit(folder, ['worktree', 'remove', '--force', worktree]);
    const copy = await take('copy', () => workspace.copyFor({ memberId: `member${round}` }));
    if (copy.kind !== 'ready') throw new Error(copy.detail);
    rmSync(copy.folder, { recursive: true });
  }
  await workspace.close();
  const medians = Object.entries(samples).map(([name, values]) => [name, median(values)]);
  return { ...Object.fromEntries(medians), bytes };
}

function workspaceIn(folder, dataFolder) {
  return openWorkspace({ folder, dataFolder, conversationId: 'bench', env: { PATH: process.env.PATH } });
}

function status(folder) {
  return runGit(folder, ['--no-optional-locks', 'status', '--porcelain']);
}

/** Waited for like the gits of a record, by its end. */
async function runGit(folder, args) {
  const { runGit: run } = await import('../compiled/files/git/runGit.js');
  const git = { file: findProgram('git'), version: '', path: process.env.PATH };
  await run(git, { args, cwd: folder });
}

function findProgram(name) {
  const places = process.env.PATH.split(':').map((folder) => join(folder, name));
  return places.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

function makeRepository(folder, size) {
  for (let index = 0; index < size; index++) {
    const path = join(folder, pathOf(index));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contentOf(index, ''));
    utimesSync(path, 1e9, 1e9);
  }
  for (const args of [
    ['init', '-q'],
    ['config', 'gc.auto', '0'],
    ['add', '-A'],
    ['commit', '-qm', 'first'],
    ['gc', '-q'],
  ]) {
    const { status: code, stderr } = spawnSync('git', args, { cwd: folder, env: GIT_ENVIRONMENT });
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  }
}

function pathOf(index) {
  return `src/part${Math.floor(index / 100)}/group${Math.floor(index / 10) % 10}/file${index}.ts`;
}

function contentOf(index, mark) {
  return `// ${mark}\n${`export const value${index} = ${index};\n`.repeat(80)}`;
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
