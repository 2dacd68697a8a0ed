import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { RealProgram } from './clis.js';
import { FakeModel } from './model/FakeModel.js';

/** Passed on to everything that is started here, so that whatever stays behind is found. */
const MARK = 'REAL_WORKSHOP_MARK';

/** A place of its own for one file of tests: a home, a working folder, the CLIs on PATH, and the model they talk to. */
export interface Workshop {
  readonly model: FakeModel;
  readonly home: string;
  readonly workingFolder: string;
  readonly temporaryFolder: string;
  /** Where Huddle keeps its things, as a person has it. */
  readonly dataFolder: string;
  /** A folder that is nobody's to write. */
  readonly outside: string;
  /** All that processes started here may know. */
  readonly environment: Readonly<Record<string, string>>;
  /** The processes that were started here and still run: number and command line. */
  findLeftovers(): string[];
  /** Ends those processes at once, as a machine without memory would. */
  killLeftovers(): void;
  close(): Promise<void>;
}

/** A workshop for the tests of this group. After each of them nothing it started may be left. */
export function useWorkshop(programs: readonly RealProgram[]): () => Workshop {
  let workshop: Workshop | undefined;
  const current = (): Workshop => {
    if (workshop === undefined) throw new Error('The workshop is open only while tests run.');
    return workshop;
  };
  beforeAll(async () => {
    workshop = await openWorkshop(programs);
  });
  afterEach(() => expect(current().findLeftovers()).toEqual([]));
  afterAll(() => current().close());
  return current;
}

async function openWorkshop(programs: readonly RealProgram[]): Promise<Workshop> {
  const { REAL_WORKSHOPS: workshops, REAL_PROGRAMS: packages } = process.env;
  const isCutOff = Object.keys(networkInterfaces()).every((name) => name === 'lo');
  if (!workshops || !packages || !isCutOff)
    throw new Error('Run this with `npm run test:real`: it keeps the CLIs from the network.');
  const model = await FakeModel.start();
  const folder = mkdtempSync(join(workshops, 'workshop-'));
  const place = (name: string) => join(folder, name);
  for (const name of ['home', 'work', 'outside', 'bin', 'tmp']) mkdirSync(place(name));
  for (const { program, command, homeFiles } of programs) {
    symlinkSync(join(packages, program), join(place('bin'), command));
    for (const [file, content] of Object.entries(homeFiles(model.url))) {
      mkdirSync(dirname(join(place('home'), file)), { recursive: true });
      writeFileSync(join(place('home'), file), content);
    }
  }
  const mark = randomUUID();
  return {
    model,
    home: place('home'),
    workingFolder: place('work'),
    temporaryFolder: place('tmp'),
    dataFolder: join(place('home'), '.local/share/huddle'),
    outside: place('outside'),
    environment: {
      PATH: [place('bin'), process.env.PATH].join(':'),
      HOME: place('home'),
      TMPDIR: place('tmp'),
      LANG: 'C.UTF-8',
      [MARK]: mark,
      ...Object.assign({}, ...programs.map(({ environment }) => environment(model.url))),
    },
    findLeftovers: () => findMarked(mark),
    killLeftovers: () => {
      for (const line of findMarked(mark)) killProcess(Number.parseInt(line, 10));
    },
    close: async () => {
      await model.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function findMarked(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProcessFile(name, 'environ').includes(`${MARK}=${mark}`))
    .map((pid) => `${pid} ${readProcessFile(pid, 'cmdline').replaceAll('\0', ' ').trim()}`);
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended while we looked.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function readProcessFile(pid: string, file: string): string {
  try {
    return readFileSync(join('/proc', pid, file), 'latin1');
  } catch {
    return ''; // It ended while we looked.
  }
}
