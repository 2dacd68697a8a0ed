import { setImmediate } from 'node:timers/promises';
import type { TurnTimeLimits } from '../AgentAdapter.js';
import type { TurnEvent } from '../dialect/Dialect.js';
import type { StopReason } from './judgeTurn.js';
import { settlesWithin } from './settlesWithin.js';
import { type AgentProcess, DRAIN_MILLISECONDS, type ExitInfo } from './spawnAgent.js';
import { killLeftovers, type LeftoverProcess, pauseInPassing, terminate } from './terminate.js';
import { type Clock, TurnTimers } from './turnTimers.js';

/** An agent that has said its last word gets this long to exit. */
const EXIT_GRACE_MILLISECONDS = 5000;

export interface SupervisorOptions {
  readonly limits: TurnTimeLimits;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** Watches over one running agent: stops it on abort or when its time is up, and leaves nothing of it behind. */
export class TurnSupervisor {
  readonly timers: TurnTimers;
  readonly #agent: AgentProcess;
  readonly #options: SupervisorOptions;
  readonly #onAbort = (): void => this.stop({ kind: 'cancelled' });
  #stopReason: StopReason | undefined;
  #hasVerdict = false;
  #exit: ExitInfo | undefined;
  #ending: Promise<LeftoverProcess[]> | undefined;

  constructor(agent: AgentProcess, options: SupervisorOptions) {
    this.#agent = agent;
    this.#options = options;
    this.timers = new TurnTimers(
      options.limits,
      (expiry) => {
        const isOurDelay = expiry.limit === 'idle' && agent.stdout.hasUnread;
        if (isOurDelay) this.timers.noteOutput();
        else this.stop({ kind: 'timed-out', ...expiry });
      },
      options.clock,
    );
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (options.signal.aborted) this.#onAbort();
    void agent.exited.then((exit) => this.#noteExit(exit));
  }

  /** The reason why the turn was stopped from outside, if it was. The first one counts. */
  get stopReason(): StopReason | undefined {
    return this.#stopReason;
  }

  get exit(): ExitInfo | undefined {
    return this.#exit;
  }

  /** Begins to stop the agent. Its output continues until it is gone: some say then what the turn cost. */
  stop(reason: StopReason): void {
    if (!this.#hasVerdict) this.#stopReason ??= reason;
    this.#end(terminate);
  }

  /** Retry notices are life but no progress; a refused login is not worth ten retries. */
  noteEvent(event: TurnEvent): void {
    if (event.type !== 'retry') this.timers.noteProgress();
    else if (event.status === 401 || event.status === 403)
      this.stop({ kind: 'refused', status: event.status });
    else this.timers.noteRetry();
  }

  /** The agent has said its last word: a stop only hurries it from now on. */
  noteVerdict(): void {
    this.#hasVerdict = true;
    this.timers.stop();
  }

  /**
   * The output is over. The exit often follows at once, and stderr with it; it is waited for longer only where its code
   * decides. A refused turn does not wait at all.
   */
  async waitForLastWords(need: 'exit-code' | 'courtesy'): Promise<void> {
    if (this.#stopReason?.kind === 'refused') return;
    const patience = need === 'exit-code' ? EXIT_GRACE_MILLISECONDS : DRAIN_MILLISECONDS;
    if (await settlesWithin(this.#agent.exited, patience)) {
      await settlesWithin(this.#agent.stderr.ended, DRAIN_MILLISECONDS);
    }
  }

  /**
   * Waits until the agent has left, and helps it along when it does not. What it has left behind is killed in passing,
   * which no caller has to wait for: the result says what could not be killed.
   */
  async finish(): Promise<{ readonly leftovers: Promise<LeftoverProcess[]> }> {
    this.timers.stop();
    await setImmediate(); // The caller that waits for the outcome goes first.
    void this.#agent.stdout.discard();
    const hasExited = await settlesWithin(this.#agent.exited, EXIT_GRACE_MILLISECONDS);
    const leftovers = this.#end(hasExited ? killLeftovers : terminate);
    await Promise.race([this.#agent.exited, leftovers]);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#agent.release();
    return { leftovers };
  }

  /** Descendants that hold the pipe, or flood it, get as long as the last words of the agent itself. */
  #noteExit(exit: ExitInfo): void {
    this.#exit = exit;
    this.#agent.stdout.endWhenQuiet(DRAIN_MILLISECONDS);
    setTimeout(() => this.#end(killLeftovers), DRAIN_MILLISECONDS).unref();
  }

  #end(how: typeof terminate): Promise<LeftoverProcess[]> {
    this.#ending ??= how(this.#agent, { pause: pauseInPassing }).finally(() =>
      this.#agent.stdout.endWhenQuiet(DRAIN_MILLISECONDS),
    );
    return this.#ending;
  }
}
