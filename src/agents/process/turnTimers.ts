import type { TurnLimit } from '../../models/TurnOutcome.js';
import type { TurnTimeLimits } from '../AgentAdapter.js';

/** Only retry notices for this long is no progress. */
const PROGRESS_MILLISECONDS = 2 * 60_000;
/** An agent that says something while someone else is waited for works on; silent for this long, it waits as well. */
const WORKING_MILLISECONDS = 30_000;
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
  /** Up to here it is known what counts of the time in which someone else is waited for. */
  #heldSince = 0;
  #worksUntil = 0;

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
    const now = this.#clock.now();
    if (this.#isHeld) this.#settleHold(now);
    this.#deadlines.idle = now + this.#lengths.idle;
    if (!this.#isHeld) return;
    this.#worksUntil = now + WORKING_MILLISECONDS;
    this.#scheduleTick();
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

  /**
   * Until the result is called it is not the agent that is waited for: time counts for no limit. Only the total continues
   * while the agent works on.
   */
  hold(): () => void {
    if (!this.#isHeld) this.#worksUntil = this.#heldSince = this.#clock.now();
    const holder = Symbol('holder');
    this.#holders.add(holder);
    return () => {
      if (!this.#holders.delete(holder) || this.#isHeld) return;
      this.#settleHold(this.#clock.now());
      this.#scheduleTick();
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTick();
  }

  get #isHeld(): boolean {
    return this.#holders.size > 0;
  }

  /** The time since it was last looked at counts for nothing, but for the total as far as the agent worked. */
  #settleHold(now: number): void {
    const worked = Math.max(0, Math.min(now, this.#worksUntil) - this.#heldSince);
    this.#shiftDeadlines(now - this.#heldSince);
    this.#deadlines.total -= worked;
    this.#heldSince = now;
    this.#lastTick = now;
  }

  /** There is nothing to look at while nothing counts. */
  #scheduleTick(): void {
    this.#cancelTick();
    const now = this.#clock.now();
    if (this.#isStopped || (this.#isHeld && now >= this.#worksUntil)) return;
    const deadlines = this.#isHeld ? [this.#deadlines.total] : Object.values(this.#deadlines);
    const next = Math.min(...deadlines) - now;
    this.#cancelTick = this.#clock.schedule(() => this.#tick(), Math.max(1, Math.min(next, LONGEST_TICK)));
  }

  #tick(): void {
    const now = this.#clock.now();
    const gap = now - this.#lastTick;
    if (this.#isHeld) this.#settleHold(now);
    else if (gap > SLEEP_GAP || gap < 0) this.#shiftDeadlines(gap);
    this.#lastTick = now;
    const limit = LIMITS.find((candidate) => now >= this.#deadlines[candidate]);
    if (limit !== undefined) {
      this.#deadlines[limit] = Number.POSITIVE_INFINITY;
      this.#onExpiry({ limit, milliseconds: this.#lengths[limit] });
    }
    this.#scheduleTick();
  }

  #shiftDeadlines(gap: number): void {
    for (const limit of LIMITS) this.#deadlines[limit] += gap;
  }
}
