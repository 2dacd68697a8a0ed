import type { TurnLimit } from '../../models/TurnOutcome.js';
import type { TurnTimeLimits } from '../AgentAdapter.js';

/** Only retry notices for this long is no progress. */
const PROGRESS_MILLISECONDS = 2 * 60_000;
const LONGEST_TICK = 10_000;
/** No tick comes this late while the machine is awake. */
const SLEEP_GAP = 30_000;

const LIMITS: readonly TurnLimit[] = ['total', 'idle', 'progress'];

/** A monotonic clock; passed in so that tests own the time. */
export interface Clock {
  now(): number;
  /** Calls back once after the delay; the result takes it back. */
  schedule(callback: () => void, milliseconds: number): () => void;
}

const monotonicClock: Clock = {
  now: () => performance.now(),
  schedule: (callback, milliseconds) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

export interface Expiry {
  readonly limit: TurnLimit;
  readonly milliseconds: number;
}

/**
 * The time limits of one turn. Time in which this process did not run (sleep, stop, a jump of the clock) counts for
 * no limit.
 */
export class TurnTimers {
  readonly #clock: Clock;
  readonly #onExpiry: (expiry: Expiry) => void;
  readonly #lengths: Readonly<Record<TurnLimit, number>>;
  readonly #deadlines: Record<TurnLimit, number>;
  #lastTick: number;
  #cancelTick: () => void = () => {};
  #isStopped = false;
  readonly #holders = new Set<symbol>();
  #heldSince = 0;

  constructor(limits: TurnTimeLimits, onExpiry: (expiry: Expiry) => void, clock: Clock = monotonicClock) {
    this.#clock = clock;
    this.#onExpiry = onExpiry;
    this.#lengths = {
      idle: limits.idleMilliseconds,
      total: limits.totalMilliseconds,
      progress: PROGRESS_MILLISECONDS,
    };
    this.#lastTick = clock.now();
    this.#deadlines = {
      idle: this.#lastTick + this.#lengths.idle,
      total: this.#lastTick + this.#lengths.total,
      progress: Number.POSITIVE_INFINITY,
    };
    this.#scheduleTick();
  }

  /** The agent gave a sign of life. */
  noteOutput(): void {
    this.#deadlines.idle = this.#clock.now() + this.#lengths.idle;
  }

  /** The agent tries again: alive, but no further. */
  noteRetry(): void {
    if (this.#deadlines.progress === Number.POSITIVE_INFINITY) {
      this.#deadlines.progress = this.#clock.now() + this.#lengths.progress;
    }
  }

  noteProgress(): void {
    this.#deadlines.progress = Number.POSITIVE_INFINITY;
  }

  /** Until the result is called, time counts for no limit: it is not the agent that is waited for. */
  hold(): () => void {
    if (this.#holders.size === 0) this.#heldSince = this.#clock.now();
    const holder = Symbol('holder');
    this.#holders.add(holder);
    return () => {
      if (this.#holders.delete(holder) && this.#holders.size === 0) this.#release();
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTick();
  }

  #release(): void {
    this.#lastTick = this.#clock.now();
    this.#shiftDeadlines(this.#lastTick - this.#heldSince);
    this.#cancelTick();
    if (!this.#isStopped) this.#scheduleTick();
  }

  #scheduleTick(): void {
    const next = Math.min(...Object.values(this.#deadlines)) - this.#clock.now();
    this.#cancelTick = this.#clock.schedule(() => this.#tick(), Math.max(1, Math.min(next, LONGEST_TICK)));
  }

  #tick(): void {
    if (this.#holders.size > 0) return;
    const now = this.#clock.now();
    const gap = now - this.#lastTick;
    this.#lastTick = now;
    if (gap > SLEEP_GAP || gap < 0) this.#shiftDeadlines(gap);
    const limit = LIMITS.find((candidate) => now >= this.#deadlines[candidate]);
    if (limit !== undefined) {
      this.#deadlines[limit] = Number.POSITIVE_INFINITY;
      this.#onExpiry({ limit, milliseconds: this.#lengths[limit] });
    }
    if (!this.#isStopped) this.#scheduleTick();
  }

  #shiftDeadlines(gap: number): void {
    for (const limit of LIMITS) this.#deadlines[limit] += gap;
  }
}
