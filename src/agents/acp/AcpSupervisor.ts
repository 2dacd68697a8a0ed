import type { TurnRequest } from '../AgentAdapter.js';
import type { StopReason } from '../process/judgeTurn.js';
import { settlesWithin } from '../process/settlesWithin.js';
import { type Clock, TurnTimers } from '../process/turnTimers.js';
import type { AcpProcess } from './AcpProcess.js';
import { AcpTurn } from './AcpTurn.js';
import type { KnownAcpAgent } from './knownAgents.js';

/** An agent that was asked to stop its turn gets this long to say that it has; then it is stopped itself. */
const CANCEL_MILLISECONDS = 1000;

export interface AcpSupervisorOptions {
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  readonly known: KnownAcpAgent | undefined;
  readonly clock?: Clock;
}

/** Watches over one turn of a process that is to stay: stops the turn on abort or when its time is up, the process only if it must. */
export class AcpSupervisor {
  readonly turn: AcpTurn;
  readonly timers: TurnTimers;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.stop({ kind: 'cancelled' });
  #process: AcpProcess | undefined;
  #skippedBefore = 0;
  #stopReason: StopReason | undefined;
  #isOver = false;
  #end: () => void = () => undefined;
  readonly #ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  constructor({ request, signal, known, clock }: AcpSupervisorOptions) {
    this.timers = new TurnTimers(
      request.limits,
      (expiry) => {
        const isOurDelay = expiry.limit === 'idle' && this.turn.events.isFull;
        if (isOurDelay) this.timers.noteOutput();
        else this.stop({ kind: 'timed-out', ...expiry });
      },
      clock,
    );
    this.turn = new AcpTurn({ request, known, holdTime: () => this.timers.hold() });
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** Why the turn was stopped from outside, if it was. The first reason counts. */
  get stopReason(): StopReason | undefined {
    return this.#stopReason;
  }

  /** The process the turn runs in, as soon as there is one. */
  get process(): AcpProcess | undefined {
    return this.#process;
  }

  /** Lines of this turn that were too long to read. */
  get skippedLines(): number {
    return (this.#process?.agent.output.skippedLines ?? 0) - this.#skippedBefore;
  }

  watch(process: AcpProcess): void {
    this.#process = process;
    this.#skippedBefore = process.agent.output.skippedLines;
    process.setBusy(true);
    if (this.#stopReason !== undefined) void this.#stopWork();
  }

  stop(reason: StopReason): void {
    if (this.#isOver || this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    void this.#stopWork();
  }

  /** The turn is over, one way or another: from now on nothing is stopped any more. */
  end(): void {
    this.#isOver = true;
    this.#end();
    this.timers.stop();
    this.turn.withdraw();
    this.turn.events.close();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#process?.setBusy(false);
  }

  async #stopWork(): Promise<void> {
    const isAsked = this.turn.cancel();
    if (isAsked && (await settlesWithin(this.#ended, CANCEL_MILLISECONDS))) return;
    await this.#process?.stop();
  }
}
