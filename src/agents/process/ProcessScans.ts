import { setImmediate } from 'node:timers/promises';
import { listYoungerThan, type Marks, type ProcessEntry, readMarks, readProcess } from './processTable.js';

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
