import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathOf } from '../../src/files/paths.js';
import type { CarryStep } from '../../src/files/Workspace.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { watchPhases } from '../files/phases.js';
import { createRandom, playRandomTurn, type Random, readFiles } from '../files/randomTurns.js';
import { makeRepository, readEverything, type TestFolder } from '../files/repository.js';
import { openTestWorkspace, recordTurn, stepsBack } from '../files/workspaces.js';
import { bundleProgram } from '../store/bundleProgram.js';
import { isFull } from './isFull.js';

const KILLS = isFull ? 201 : 3;
/** The conversation of the process that is killed. */
const KILLED = 'killed';
/** Times that it is killed in; each is met as often as the others. */
const PHASES = ['recording', 'keeping', 'carrying'] as const;
/** Said when a phase is over. */
const ENDS = { recording: 'keeping', keeping: 'kept', carrying: 'carried' } as const;

type Phase = (typeof PHASES)[number];

let program: string;

beforeAll(async () => {
  program = await bundleProgram(new URL('../files/workspaceProgram.ts', import.meta.url));
});

afterAll(() => rmSync(dirname(program), { recursive: true }));

test(`a process killed ${KILLS} times while it records, keeps and puts back loses nothing`, async () => {
  const met: Record<Phase, number> = { recording: 0, keeping: 0, carrying: 0 };
  const lasting = await measurePhases();
  const found = { 'staged files': 0, 'a part put back': 0 };
  for (
    let seed = 1;
    Math.min(...Object.values(met)) < KILLS / PHASES.length && seed <= 3 * KILLS;
    seed += 1
  ) {
    const random = createRandom(seed);
    const { folder, steps, before, turned, git } = await makeWork(random);
    const wanted = PHASES.toSorted((one, other) => met[one] - met[other])[0] ?? 'recording';
    const phase = await killIn(wanted, folder, steps, random(Math.ceil(lasting[wanted])));
    if (phase !== undefined) met[phase] += 1;
    // The machine is faster or slower by now: it is killed in all of a phase, and seldom after it.
    lasting[wanted] *= phase === wanted ? 1.2 : 0.6;

    const left = readFiles(folder.folder);
    if (leftoversIn(folder).length > 0) found['staged files'] += 1;
    const own = withoutLeftovers(left);
    const isPart = differing(own, before).length > 0 && differing(own, turned).length > 0;
    if (isPart) found['a part put back'] += 1;

    const workspace = await openTestWorkspace(folder, KILLED);
    const { files } = await recordTurn(workspace);
    // What it had recorded counts if it had the time to settle it.
    expect([differing(before, own), differing(turned, own)], `seed ${seed}`).toContainEqual(
      files.map(pathOf).sort(),
    );
    expect(missingContents(folder, steps), `seed ${seed}`).toEqual([]);
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
    expect(leftoversIn(folder)).toEqual([]);
    await workspace.close();
    rmSync(dirname(folder.folder), { recursive: true });
  }
  for (const phase of PHASES) expect(met[phase], phase).toBeGreaterThanOrEqual(KILLS / PHASES.length);
  if (!isFull) return;
  for (const [what, times] of Object.entries(found)) expect(times, what).toBeGreaterThan(0);
  console.log(`killed while ${JSON.stringify(met)}, found ${JSON.stringify(found)}`);
}, 1_800_000);

interface Work {
  readonly folder: TestFolder;
  /** The way back to what was there before. */
  readonly steps: readonly CarryStep[];
  readonly before: Record<string, string>;
  /** As the turns have left it. */
  readonly turned: Record<string, string>;
  readonly git: Record<string, string>;
}

/** A folder with turns to put back, whose contents before only the user's repository has. */
async function makeWork(random: Random): Promise<Work> {
  const names = Array.from({ length: 40 }, (_, index) => `many/${index}.txt`);
  const folder = makeRepository({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' });
  for (let turn = 0; turn < 3; turn += 1) playRandomTurn(folder.folder, random);
  folder.write(Object.fromEntries(names.map((name) => [name, `${name} ${random(1000)}\n`])));
  folder.git('add', '-A');
  folder.git('commit', '-q', '-m', 'second');
  const git = readEverything(join(folder.folder, '.git'));
  const before = readFiles(folder.folder);
  await (await openTestWorkspace(folder, KILLED)).close();
  // With contents of its own, else there would be none left to keep.
  const watcher = await openTestWorkspace({ ...folder, dataFolder: makeTemporaryFolder() });
  for (let turn = 0; turn < 8; turn += 1) playRandomTurn(folder.folder, random);
  folder.write(Object.fromEntries(names.map((name) => [name, `changed ${random(1000)}\n`])));
  const { files } = await recordTurn(watcher);
  await watcher.close();
  return { folder, steps: stepsBack(files), before, turned: readFiles(folder.folder), git };
}

/** Milliseconds that each phase lasts here when nobody is killed, rounded up. */
async function measurePhases(): Promise<Record<Phase, number>> {
  const { folder, steps } = await makeWork(createRandom(0));
  const { phases, closed } = await startWork(folder, steps);
  await closed;
  await phases.end();
  const last = async (phase: Phase): Promise<number> =>
    Math.ceil((await phases.begin(ENDS[phase])) - (await phases.begin(phase)));
  return {
    recording: await last('recording'),
    keeping: await last('keeping'),
    carrying: await last('carrying'),
  };
}

/** Lets a process record and put back until it is in a phase, and kills it. Resolves with the phase that it died in. */
async function killIn(
  wanted: Phase,
  folder: TestFolder,
  steps: readonly CarryStep[],
  after: number,
): Promise<Phase | undefined> {
  const { phases, child, closed } = await startWork(folder, steps);
  await Promise.race([phases.begin(wanted), closed]);
  const stop = new AbortController();
  await Promise.race([delay(after, undefined, { signal: stop.signal }).catch(() => undefined), closed]);
  stop.abort();
  child.kill('SIGKILL');
  await closed;
  const last = await phases.end();
  return last === 'kept' ? 'recording' : PHASES.find((phase) => phase === last);
}

async function startWork({ folder, dataFolder }: TestFolder, steps: readonly CarryStep[]) {
  const phases = await watchPhases();
  const list = join(dataFolder, 'steps.json');
  writeFileSync(list, JSON.stringify(steps));
  const child = spawn(process.execPath, [program, 'carry', folder, dataFolder, list, phases.pipe], {
    env: { ...process.env, PATH: phases.path },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { phases, child, closed: once(child, 'close') };
}

function differing(one: Record<string, string>, other: Record<string, string>): readonly string[] {
  const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...paths].filter((path) => one[path] !== other[path]).sort();
}

function leftoversIn({ folder }: TestFolder): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('.huddle-'));
}

function withoutLeftovers(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('.huddle-')));
}

/** Contents to put back that only the user's repository has, which may forget them. */
function missingContents({ dataFolder }: TestFolder, steps: readonly CarryStep[]): readonly string[] {
  return steps.flatMap(({ path, to }) => {
    if (to === undefined) return [];
    const place = join(dataFolder, 'files/objects', to.id.slice(0, 2), to.id.slice(2));
    return existsSync(place) ? [] : [path];
  });
}
