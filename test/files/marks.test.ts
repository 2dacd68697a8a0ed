import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import type { MarkedTurn, Workspace } from '../../src/files/Workspace.js';
import { bundleProgram } from '../store/bundleProgram.js';
import { makePlainFolder, type TestFolder } from './repository.js';

let program: string;

beforeAll(async () => {
  program = await bundleProgram(new URL('workspaceProgram.ts', import.meta.url));
});

afterAll(() => rmSync(dirname(program), { recursive: true }));

test('turns of two processes in one folder know of each other, whichever began first', async () => {
  const folder = makePlainFolder();
  const mine = await workspaceIn(folder).mark('turn-1');
  expect(mine.others).toEqual([]);
  const other = startTurn(folder, 'turn-7');
  expect(await other.others).toEqual([{ turn: 'turn-1', pid: process.pid }]);
  const later = await workspaceIn(folder).mark('turn-2');
  expect(later.others).toEqual([{ turn: 'turn-7', pid: other.pid }]);
  expect(await later.end()).toEqual(['turn-7']);
  expect(await other.end()).toEqual(['turn-1', 'turn-2']);
  expect(await mine.end()).toEqual(['turn-7']);
  expect(readdirSync(join(folder.dataFolder, 'files/running'))).toEqual([]);
});

test('a turn in a folder inside or around is one in the same folder, a turn beside it is not', async () => {
  const folder = makePlainFolder();
  for (const name of ['inside', 'beside']) mkdirSync(join(folder.folder, name));
  const inside = { ...folder, folder: join(folder.folder, 'inside') };
  const beside = { ...folder, folder: join(folder.folder, 'beside') };
  const other = startTurn(inside, 'turn-7');
  await other.others;
  expect((await workspaceIn(folder).mark('turn-1')).others).toHaveLength(1);
  expect((await workspaceIn(beside).mark('turn-1')).others).toHaveLength(0);
});

test('a killed process marks nothing any more, nor does a later one with its number', async () => {
  const folder = makePlainFolder();
  const killed = startTurn(folder, 'turn-7');
  await killed.others;
  await killed.kill();
  const stale = { pid: process.ppid, processStart: 'long ago', host: hostname() };
  const marks = join(folder.dataFolder, 'files/running');
  writeFileSync(
    join(marks, 'stale'),
    `${JSON.stringify({ ...stale, turn: 'turn-8', folder: folder.folder })}\n`,
  );
  const mine = await workspaceIn(folder).mark('turn-1');
  expect(mine.others).toEqual([]);
  await mine.end();
  expect(readdirSync(marks)).toEqual([]);
});

function workspaceIn({ folder, dataFolder }: TestFolder): Workspace {
  return openWorkspace({ folder, dataFolder, conversationId: 'mine' });
}

interface OtherTurn {
  readonly pid: number | undefined;
  readonly others: Promise<readonly MarkedTurn[]>;
  end(): Promise<readonly string[]>;
  kill(): Promise<void>;
}

/** A turn of another process. */
function startTurn({ folder, dataFolder }: TestFolder, turn: string): OtherTurn {
  const child: ChildProcess = spawn(process.execPath, [program, 'mark', folder, dataFolder, turn]);
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? 'null');
  const others = readLine() as Promise<readonly MarkedTurn[]>;
  return {
    pid: child.pid,
    others,
    end: () => {
      child.stdin?.end();
      return readLine() as Promise<readonly string[]>;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
