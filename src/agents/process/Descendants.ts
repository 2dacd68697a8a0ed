import { tryTo } from '../../utils/tryTo.js';
import type { ControlGroup } from './controlGroup.js';
import {
  type Marks,
  type ProcessEntry,
  processScans,
  readProcess,
  type Scan,
  type SeenProcess,
} from './processTable.js';

export interface DescendantsOptions {
  /** The agent itself, which leads a session of its own. */
  readonly leader: number;
  /** The marks of the agent, and so of every descendant that has kept them. */
  readonly marks: Marks;
  readonly controlGroup: ControlGroup | undefined;
  /** Told of every process once, as soon as it is known. */
  readonly onFound: (found: ProcessEntry) => void;
}

/**
 * The descendants of an agent, as far as they can be known: processes that have one of its marks, are in its control group
 * or its session, or had a known parent at one of our looks. A process is known by pid and start, so that
 * none is ever taken for another that got its pid later.
 */
export class Descendants {
  readonly #options: DescendantsOptions;
  readonly #began = performance.now();
  readonly #known = new Map<number, ProcessEntry>();
  #hasLeaderExited = false;

  constructor(options: DescendantsOptions) {
    this.#options = options;
  }

  /** From now on the pid of the agent may be another process's. */
  noteExit(): void {
    this.#hasLeaderExited = true;
  }

  /** Lists the descendants that are alive. */
  async look(): Promise<readonly ProcessEntry[]> {
    const { leader, controlGroup } = this.#options;
    const scan = await processScans.scan({ pid: leader, began: this.#began });
    for (const [pid, known] of this.#known) if (known.start !== scan.get(pid)?.start) this.#known.delete(pid);
    const members = new Set(controlGroup?.members());
    this.#noteAll(scan, (seen) => members.has(seen.pid) || this.#isMarked(seen));
    // Children may be listed before their parents, so it is done again until none is new.
    while (this.#noteAll(scan, (seen) => this.#isKin(seen)));
    return [...this.#known.values()];
  }

  /** SIGKILL for all who are known. */
  kill(): void {
    this.#options.controlGroup?.kill();
    for (const { pid, start } of this.#known.values()) {
      // Where that fails, it is gone, or not ours to kill: the next look tells which.
      if (readProcess(pid)?.start === start) tryTo(() => process.kill(pid, 'SIGKILL'));
    }
  }

  /** Whether there was a new one. */
  #noteAll(scan: Scan, isOurs: (seen: SeenProcess) => boolean): boolean {
    const before = this.#known.size;
    for (const seen of scan.values()) {
      if (seen.pid === this.#options.leader || this.#known.has(seen.pid) || !isOurs(seen)) continue;
      this.#known.set(seen.pid, seen);
      this.#options.onFound(seen);
    }
    return this.#known.size > before;
  }

  #isMarked(seen: SeenProcess): boolean {
    const { marker, inherited } = this.#options.marks;
    return (
      (inherited !== undefined && seen.inherited === inherited) ||
      (marker !== undefined && seen.marker === marker)
    );
  }

  #isKin({ parent, session }: SeenProcess): boolean {
    const { leader } = this.#options;
    return this.#known.has(parent) || session === leader || (parent === leader && !this.#hasLeaderExited);
  }
}
