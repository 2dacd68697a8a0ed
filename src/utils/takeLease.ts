import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describeThisProcess, mayBeAlive, type ProcessIdentity } from './processIdentity.js';

/** A file that says who holds something. Of all processes that want it, one has it. */
export interface Lease {
  /** Lets others have it, unless it was taken over. */
  release(): void;
}

interface Holder extends ProcessIdentity {
  /** The purpose of the process; one with the same owner may have it as well. */
  readonly owner: string;
  /** Tells two leases of one process apart. */
  readonly mark: string;
}

/** Time in which a process has written its lease to the end. */
const WRITING_MS = 10_000;

/** Takes a lease, also one whose holder is gone or has the same owner. Undefined: somebody else has it. */
export function takeLease(file: string, owner?: string): Lease | undefined {
  const mark = randomBytes(8).toString('hex');
  const holder: Holder = { ...describeThisProcess(), owner: owner ?? mark, mark };
  const text = JSON.stringify(holder);
  if (!take(file, holder)) return undefined;
  return {
    release: () => {
      if (readText(file) === text) follow(file, text, holder, () => rmSync(file));
    },
  };
}

/** The process that has it. Undefined: nobody, or it is not written to its end. */
export function readLeaseHolder(file: string): ProcessIdentity | undefined {
  return parse(readText(file) ?? '');
}

function take(file: string, holder: Holder): boolean {
  if (create(file, JSON.stringify(holder))) return true;
  const found = readText(file);
  if (found === undefined || isHeld(file, found, holder)) return false;
  return follow(file, found, holder, () => {
    const draft = `${file}.${holder.mark}`;
    writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
    renameSync(draft, file);
  });
}

/**
 * Does something with a lease that is still the one that was found. The right to follow it is a lease of its own, so that of
 * all who found it only one does, and whoever comes too late finds another.
 */
function follow(file: string, found: string, holder: Holder, act: () => void): boolean {
  const right = `${file}.after-${createHash('sha256').update(found).digest('hex').slice(0, 16)}`;
  if (!take(right, holder)) return false;
  try {
    if (readText(file) !== found) return false;
    act();
    return true;
  } finally {
    rmSync(right, { force: true });
  }
}

function isHeld(file: string, found: string, { owner }: Holder): boolean {
  const holder = parse(found);
  if (holder !== undefined) return mayBeAlive(holder) && holder.owner !== owner;
  const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return Date.now() - writtenAt < WRITING_MS;
}

function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined: nobody holds it any more. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined: not written to its end, or not by us. */
function parse(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && typeof holder.host === 'string'
      ? (holder as Holder)
      : undefined;
  } catch {
    return undefined;
  }
}
