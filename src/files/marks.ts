import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../utils/privatePaths.js';
import { describeThisProcess, mayBeAlive, type ProcessIdentity } from '../utils/processIdentity.js';
import type { MarkedTurn, MarkOptions, TurnMark } from './Workspace.js';

/** A running turn, as the file of its mark says it. */
interface Mark extends ProcessIdentity {
  readonly turn: string;
  /** The working folder, with links resolved. */
  readonly folder: string;
}

export interface MarkPlace {
  /** Folder of the marks: one for all working folders, since one may lie in another. */
  readonly marks: string;
  /** The working folder, with links resolved. */
  readonly folder: string;
}

interface FoundMark extends Mark {
  readonly file: string;
}

/** Never makes the file again of a turn that ended meanwhile. */
const TO_ITS_END = constants.O_WRONLY | constants.O_APPEND;

/**
 * Leaves a mark for a turn that runs, and looks for those of other processes. A turn tells the ones it finds of itself, so
 * that each knows of every other, also of one that begins and ends in between; unless it gives way to them.
 */
export async function markTurn(
  { marks, folder }: MarkPlace,
  turn: string,
  { givesWay = false }: MarkOptions = {},
): Promise<TurnMark> {
  makePrivateFolder(marks);
  const mark: Mark = { ...describeThisProcess(), turn, folder };
  const file = join(marks, randomBytes(8).toString('hex'));
  await writeFile(file, `${JSON.stringify(mark)}\n`, { mode: 0o600, flag: 'wx' });
  const before = await findOthers({ marks, folder });
  for (const other of givesWay ? [] : before)
    await appendFile(other.file, `${turn}\n`, { flag: TO_ITS_END }).catch(ignoreMissing);
  return {
    others: before.map(({ turn: name, pid }): MarkedTurn => ({ turn: name, pid })),
    end: async () => {
      const [, ...during] = await readLines(file);
      await rm(file, { force: true });
      return [...new Set([...before.map((other) => other.turn), ...during])];
    },
  };
}

/** Marks of processes that are gone are removed. */
async function findOthers({ marks, folder }: MarkPlace): Promise<readonly FoundMark[]> {
  const self = describeThisProcess();
  const others: FoundMark[] = [];
  for (const name of await readdir(marks).catch(ignoreMissing)) {
    const file = join(marks, name);
    const mark = await readMark(file);
    if (mark === undefined || isSame(mark, self)) continue;
    if (!mayBeAlive(mark)) await rm(file, { force: true });
    else if (isWithin(mark.folder, folder) || isWithin(folder, mark.folder)) others.push({ ...mark, file });
  }
  return others;
}

function isWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(join(outer, '/'));
}

/** Undefined: its turn ended at this moment, or has only begun to write it. */
async function readMark(file: string): Promise<Mark | undefined> {
  const [line] = await readLines(file);
  return line === undefined ? undefined : (JSON.parse(line) as Mark);
}

/** The mark, then the turns of others that began after it. Whole lines only. */
async function readLines(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(ignoreMissing);
  return text.length === 0 ? [] : String(text).split('\n').slice(0, -1);
}

function ignoreMissing(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

function isSame(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.processStart === other.processStart && one.host === other.host;
}
