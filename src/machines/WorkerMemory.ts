import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../utils/privatePaths.js';

const FILE_MODE = 0o600;
/** Sessions that were not used for so long are not resumed any more. */
const SESSION_DAYS = 90;
const DAY = 24 * 60 * 60_000;

/** A stage of a conversation of a fleet, after which nobody can have it begin again. No turn has such an id. */
export type FleetStage = 'fleet/begun' | 'fleet/ended';

/** A session of an agent, and for whom it was made. */
export interface OwnedSession {
  readonly conversation: string;
  readonly member: string;
  readonly sessionId: string;
}

/**
 * Turns that this machine ran and sessions that its agents made, on its own disk: no database can make it forget them. A
 * file each, so that several workers of one machine share the memory, and what is in it is there also after a power cut.
 */
export class WorkerMemory {
  readonly #turns: string;
  readonly #sessions: string;

  /**
   * @param folder Private to this user.
   * @param storeId The store that turns and sessions are of.
   */
  constructor(folder: string, storeId: string) {
    const own = join(folder, nameOf(storeId));
    this.#turns = join(own, 'turns');
    this.#sessions = join(own, 'sessions');
    for (const path of [folder, own, this.#turns, this.#sessions]) makePrivateFolder(path);
  }

  /**
   * Notes that a turn is about to be run. False: it was before.
   *
   * @param expires Epoch milliseconds after which no request for it counts, so that it need not be remembered.
   */
  begin({ conversation, turn }: { conversation: string; turn: string }, expires: number): boolean {
    return createFile(this.#turns, nameOf(conversation, turn), String(expires));
  }

  /** Whether a conversation of a fleet came so far on this machine. */
  hasReached(conversation: string, stage: FleetStage): boolean {
    return existsSync(join(this.#turns, nameOf(conversation, stage)));
  }

  /** Notes that a conversation of a fleet has come so far; `expires` as for a turn. */
  reach(conversation: string, stage: FleetStage, expires: number): void {
    createFile(this.#turns, nameOf(conversation, stage), String(expires));
  }

  /** Notes a session that an agent of this machine made. */
  keepSession(session: OwnedSession): void {
    createFile(this.#sessions, nameOf(...partsOf(session)), '');
  }

  /** Whether an agent of this machine made the session, for this conversation and member. */
  ownsSession(session: OwnedSession): boolean {
    const now = new Date();
    try {
      utimesSync(join(this.#sessions, nameOf(...partsOf(session))), now, now);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return false;
    }
  }

  /** Forgets what can not be asked for any more. */
  forgetOld(now: number): void {
    for (const name of readdirSync(this.#turns)) {
      const file = join(this.#turns, name);
      if (Number(readFileSync(file, 'utf8')) < now - DAY) rmSync(file, { force: true });
    }
    const limit = now - SESSION_DAYS * DAY;
    for (const entry of readdirSync(this.#sessions)) {
      const file = join(this.#sessions, entry);
      if (statSync(file).mtimeMs < limit) rmSync(file, { force: true });
    }
  }
}

/** Makes a file that is on the disk, with its entry in the folder, when this returns. False: it is there already. */
function createFile(folder: string, name: string, text: string): boolean {
  try {
    writeFileSync(join(folder, name), text, { flag: 'wx', mode: FILE_MODE, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  syncFolder(folder);
  return true;
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function partsOf({ conversation, member, sessionId }: OwnedSession): string[] {
  return [conversation, member, sessionId];
}

/** Names of others can be no path: a hash of them is the name. */
function nameOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
