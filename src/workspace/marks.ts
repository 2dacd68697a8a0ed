import { randomBytes } from 'node:crypto';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../utils/privatePaths.js';
import { describeThisProcess, mayBeAlive, type ProcessIdentity } from '../utils/processIdentity.js';
import type { MarkedTurn, TurnMark } from './Workspace.js';

/** A running turn, as the file of its mark says it. */
interface Mark extends ProcessIdentity {
  readonly turn: string;
}

interface FoundMark extends Mark {
  readonly file: string;
}

const MARK_ENDING = '.json';
/** Beside a mark: the turns of others that began after it, a line each. */
const MET_ENDING = '.met';

/**
 * Leaves a mark for a turn that runs, and looks for those of other processes. A turn tells the ones it finds of itself, so
 * that each knows of every other, also of one that begins and ends in between.
 */
export async function markTurn(folder: string, turn: string): Promise<TurnMark> {
  makePrivateFolder(folder);
  const self = describeThisProcess();
  const file = join(folder, randomBytes(8).toString('hex'));
  await writeFile(file + MARK_ENDING, JSON.stringify({ ...self, turn }), { mode: 0o600, flag: 'wx' });
  const before = await findOthers(folder, self);
  for (const other of before) await appendFile(other.file + MET_ENDING, `${turn}\n`, { mode: 0o600 });
  return {
    others: before.map(({ turn: name, pid }): MarkedTurn => ({ turn: name, pid })),
    end: async () => {
      const during = await readMet(file);
      await removeMark(file);
      return [...new Set([...before.map((other) => other.turn), ...during])];
    },
  };
}

/** Turns of other processes that run in the folder now. */
export async function findMarkedTurns(folder: string): Promise<readonly MarkedTurn[]> {
  const others = await findOthers(folder, describeThisProcess());
  return others.map(({ turn, pid }) => ({ turn, pid }));
}

/** Marks of processes that are gone are removed. */
async function findOthers(folder: string, self: ProcessIdentity): Promise<readonly FoundMark[]> {
  const others: FoundMark[] = [];
  for (const name of await readNames(folder)) {
    const file = join(folder, name.slice(0, -MARK_ENDING.length));
    const mark = await readMark(file);
    if (mark === undefined || isSame(mark, self)) continue;
    if (mayBeAlive(mark)) others.push({ ...mark, file });
    else await removeMark(file);
  }
  return others;
}

async function readNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(MARK_ENDING));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Undefined: its turn ended at this moment, or has only begun to write it. */
async function readMark(file: string): Promise<Mark | undefined> {
  try {
    return JSON.parse(await readFile(file + MARK_ENDING, 'utf8')) as Mark;
  } catch {
    return undefined;
  }
}

async function readMet(file: string): Promise<readonly string[]> {
  try {
    return (await readFile(file + MET_ENDING, 'utf8')).split('\n').filter((turn) => turn !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function removeMark(file: string): Promise<void> {
  await rm(file + MARK_ENDING, { force: true });
  await rm(file + MET_ENDING, { force: true });
}

function isSame(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.processStart === other.processStart && one.host === other.host;
}
