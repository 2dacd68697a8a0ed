import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const PROCESSES = '/proc';
/** Carried by every process of a turn and its descendants: how those that left the process group are found. */
export const MARKER_VARIABLE = 'HUDDLE_TURN';
const MARKER = new RegExp(`(?:^|\\0)${MARKER_VARIABLE}=([^\\0]*)`, 'u');
/** An environment is empty for a moment while its process starts another program. */
const LOOKS_AT_EMPTY_ENVIRONMENT = 3;
/** No machine starts more processes in a second, or while we look. */
const STARTS_A_SECOND = 10_000;
const STARTED_MEANWHILE = 1000;

/**
 * The bits of the filter that tell agents apart: private huge pages, private and shared files that are memory. They make no
 * difference to an agent, and programs leave them alone (Java sets others). By the first two an agent differs from us.
 */
export const AGENT_BITS = 0xa0;
export const SHARED_BIT = 0x100;
export const ALL_BITS = AGENT_BITS | SHARED_BIT;

/** Whether processes can be looked at here. Where not, only the process group of an agent is stopped. */
export const hasProcessTable = process.platform === 'linux';

/** A process as the system shows it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** In ticks since the machine was started. With the pid it names a process for ever: pids are used again. */
  readonly start: string;
}

/** The two marks by which a process can be known. */
export interface Marks {
  /** In its environment. */
  readonly marker: string | undefined;
  /** In what no environment holds, see `startMarked`. */
  readonly inherited: string | undefined;
}

/**
 * The processes that were started after this one, which was started so long ago. Pids are given out in turn, so on a
 * machine with hundreds of processes only a few have to be looked at; all of them when the pids may have gone round.
 */
export function listYoungerThan(pid: number, milliseconds: number): number[] {
  const all = listProcesses();
  if ((milliseconds / 1000) * STARTS_A_SECOND > readNumber('sys/kernel/pid_max')) return all;
  const last = readNumber('loadavg');
  return all.filter((other) => other > pid || (last < pid && other <= last + STARTED_MEANWHILE));
}

/** `undefined`: it is gone, or dead and only not yet taken note of by its parent. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const { state, parent, session, start } = readStat(pid);
  if (state === '' || state === 'X' || state === 'Z') return undefined;
  return { pid, parent: Number(parent), session: Number(session), start };
}

/** The start of a process, also of a dead one that its parent has not taken note of. Empty: it cannot be looked up. */
export function readStart(pid: number): string {
  return readStat(pid).start;
}

function readStat(pid: number) {
  const text = readProcessFile(pid, 'stat');
  // The name stands in parentheses and may hold anything, parentheses and line ends too.
  const [state = '', parent, , session, ...others] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state, parent, session, start: others[15] ?? '' };
}

/** Not whole: the environment cannot be read, or not at this moment, or is empty. */
export function readMarks(pid: number): Marks & { readonly isWhole: boolean } {
  const limit = /^Max resident set +(\d+)/mu.exec(readProcessFile(pid, 'limits'))?.[1];
  const inherited = limit && formatMark(limit, readProcessFile(pid, 'coredump_filter'));
  let environment = '';
  for (let look = 0; look < LOOKS_AT_EMPTY_ENVIRONMENT && environment === ''; look += 1) {
    environment = readProcessFile(pid, 'environ');
  }
  return { inherited, marker: MARKER.exec(environment)?.[1], isWhole: environment !== '' };
}

/** Both halves of a mark as the system shows them, without the bits of the filter that programs may change. */
export function formatMark(limit: string, filter: string): string {
  return `${limit} ${Number.parseInt(filter, 16) & ALL_BITS}`;
}

export function readName(pid: number): string {
  return readProcessFile(pid, 'comm').trim() || 'unknown';
}

/** None where they cannot be listed: no such folder in this container, or no descriptor left. */
function listProcesses(): number[] {
  if (!hasProcessTable) return [];
  try {
    return readdirSync(PROCESSES).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The last number in a file of the system. In `loadavg` it is the pid that was given out last. */
function readNumber(file: string): number {
  return Number(readFile(file).trim().split(' ').at(-1));
}

/** Empty where it cannot be read. */
export function readProcessFile(pid: number | 'self', file: string, encoding?: BufferEncoding): string {
  return readFile(`${pid}/${file}`, encoding);
}

/** Synchronous on purpose: these files are memory, and reading them one by one is several times faster than through the thread pool. */
function readFile(name: string, encoding: BufferEncoding = 'latin1'): string {
  try {
    return readFileSync(`${PROCESSES}/${name}`, encoding);
  } catch {
    return ''; // It ended meanwhile, or belongs to another user and so not to this turn.
  }
}

/** After so many processes others have their turn: one or two milliseconds. */
const SLICE = 32;

/** A process that was there, and its marks as far as they could be read. */
export type SeenProcess = ProcessEntry & Marks;

export type Scan = ReadonlyMap<number, SeenProcess>;

/** The process whose descendants are looked for: those are younger. */
export interface Ancestor {
  readonly pid: number;
  /** The time of its start, by the clock of `performance`. */
  readonly began: number;
}

/**
 * Looks at the processes of the machine for all turns. One scan at a time: callers that ask during one share the next, so
 * that many turns that end together cost little more than one. Marks are read once, if they can be.
 */
class ProcessScans {
  readonly #marks = new Map<number, { readonly start: string; readonly marks: Marks }>();
  /** Callers that share the next scan. */
  #asking: Ancestor[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<Scan> | undefined;

  /** All processes younger than this one, in a scan that begins after the call. */
  scan(ancestor: Ancestor): Promise<Scan> {
    this.#asking.push(ancestor);
    if (this.#next === undefined) {
      this.#next = this.#last.then(() => this.#scan());
      this.#last = this.#next;
    }
    return this.#next;
  }

  async #scan(): Promise<Scan> {
    const oldest = this.#asking.reduce((one, other) => (other.began < one.began ? other : one));
    this.#asking = [];
    this.#next = undefined;
    const seen = new Map<number, SeenProcess>();
    const younger = listYoungerThan(oldest.pid, performance.now() - oldest.began);
    for (const [index, pid] of younger.entries()) {
      if (index % SLICE === SLICE - 1) await setImmediate();
      const entry = readProcess(pid);
      if (entry !== undefined) seen.set(pid, { ...entry, ...this.#marksOf(entry) });
    }
    for (const pid of this.#marks.keys()) if (!seen.has(pid)) this.#marks.delete(pid);
    return seen;
  }

  #marksOf({ pid, start }: ProcessEntry): Marks {
    const known = this.#marks.get(pid);
    if (known?.start === start) return known.marks;
    const marks = readMarks(pid);
    if (marks.isWhole) this.#marks.set(pid, { start, marks });
    return marks;
  }
}

/** The scans of this process, shared by all its turns. */
export const processScans = new ProcessScans();
