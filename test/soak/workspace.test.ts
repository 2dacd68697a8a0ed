import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../store/bundleProgram.js';
import { createRandom, playRandomTurn, readFiles } from '../workspace/randomTurns.js';
import { makeRepository, readEverything, type TestFolder } from '../workspace/repository.js';
import { openTestWorkspace, recordTurn, stepsBack } from '../workspace/workspaces.js';
import { isFull } from './isFull.js';

const KILLS = isFull ? 200 : 6;
/** The conversation of the process that is killed. */
const KILLED = 'killed';

let program: string;

beforeAll(async () => {
  program = await bundleProgram(new URL('../workspace/workspaceProgram.ts', import.meta.url));
});

afterAll(() => rmSync(dirname(program), { recursive: true }));

test(`a process killed ${KILLS} times while it records and puts back loses nothing`, async () => {
  let finished = 0;
  let usual = 400;
  for (let seed = 1; seed <= KILLS; seed += 1) {
    const random = createRandom(seed);
    const folder = makeRepository({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' });
    for (let turn = 0; turn < 3; turn += 1) playRandomTurn(folder.folder, random);
    const git = readEverything(join(folder.folder, '.git'));
    const watcher = await openTestWorkspace(folder, 'watcher');
    await (await openTestWorkspace(folder, KILLED)).close();
    const before = readFiles(folder.folder);
    for (let turn = 0; turn < 8; turn += 1) playRandomTurn(folder.folder, random);
    const { files } = await recordTurn(watcher);
    const steps = stepsBack(files);
    const list = join(folder.dataFolder, 'steps.json');
    writeFileSync(list, JSON.stringify(steps));

    // The first one is let run to its end, to see how long that takes.
    const after = seed === 1 ? 60_000 : random(Math.ceil(usual));
    const { isDone, milliseconds } = await runUntilKilled(folder, list, after);
    if (seed === 1) usual = milliseconds;
    if (isDone) finished += 1;

    const workspace = await openTestWorkspace(folder, KILLED);
    await recordTurn(workspace);
    await workspace.carry(await workspace.plan({ steps }));
    expect(readFiles(folder.folder), `seed ${seed}`).toEqual(before);
    await recordTurn(workspace);
    expect((await recordTurn(workspace)).files, `seed ${seed}`).toEqual([]);
    writeFileSync(join(folder.folder, 'last.txt'), 'last\n');
    expect(
      (await recordTurn(workspace)).files.map(({ path }) => path),
      `seed ${seed}`,
    ).toEqual(['last.txt']);
    expect(readEverything(join(folder.folder, '.git')), `seed ${seed}`).toEqual(git);
    expect(readdirSync(folder.folder).filter((name) => name.startsWith('.huddle-'))).toEqual([]);
    await Promise.all([watcher, workspace].map((one) => one.close()));
  }
  console.log(`${KILLS} kills, ${finished} of them after the work was done`);
}, 900_000);

/** Tells whether it was done before it was killed, and how long that took from when it had opened the folder. */
async function runUntilKilled(
  { folder, dataFolder }: TestFolder,
  list: string,
  after: number,
): Promise<{ readonly isDone: boolean; readonly milliseconds: number }> {
  const child = spawn(process.execPath, [program, 'carry', folder, dataFolder, list], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  const opened = performance.now();
  const stop = new AbortController();
  await Promise.race([delay(after, undefined, { signal: stop.signal }).catch(() => undefined), closed]);
  stop.abort();
  child.kill('SIGKILL');
  await closed;
  return { isDone: said.includes('done'), milliseconds: performance.now() - opened };
}
