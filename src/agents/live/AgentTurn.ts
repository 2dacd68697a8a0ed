import type { TurnRequest } from '../AgentAdapter.js';
import type { ReaderEvent, TurnEvent } from '../dialect/Dialect.js';
import { AnswerText } from '../process/AnswerText.js';
import type { StopReason } from '../process/judgeTurn.js';
import { settlesWithin } from '../process/settlesWithin.js';
import { createEventRepair } from '../process/turnOutput.js';
import { type Clock, TurnTimers } from '../process/turnTimers.js';
import { EventQueue } from './EventQueue.js';
import type { LiveClient } from './LiveConnection.js';
import type { LiveProcess } from './LiveProcess.js';
import { LiveQuestions } from './LiveQuestions.js';

/** An agent that was asked to stop its turn gets this long to say that it has; then it is stopped itself. */
const CANCEL_MILLISECONDS = 1000;

export interface AgentTurnOptions {
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/**
 * A turn: one prompt to one agent, what comes back, what it asks for on the way, and the time it has. It is stopped on
 * abort or when its time is up; its process stays, unless the agent does not stop.
 */
export class AgentTurn implements LiveClient {
  readonly request: TurnRequest;
  readonly events = new EventQueue<TurnEvent>();
  readonly answer = new AnswerText();
  readonly questions: LiveQuestions;
  readonly #signal: AbortSignal;
  readonly #timers: TurnTimers;
  readonly #repair = createEventRepair();
  /** Aborted when the turn is over, or on its way there: its questions need no answer any more. */
  readonly #stopping = new AbortController();
  readonly #onAbort = (): void => this.stop({ kind: 'cancelled' });
  #work: Promise<unknown> = Promise.resolve();
  #isOver = false;
  #stopReason: StopReason | undefined;
  #process: LiveProcess | undefined;
  #skippedBefore = 0;
  /** Set when the agent has been asked: asks it to stop. */
  #cancel: (() => void) | undefined;

  constructor({ request, signal, clock }: AgentTurnOptions) {
    this.request = request;
    this.#signal = signal;
    this.#timers = new TurnTimers(
      request.limits,
      (expiry) => {
        const isOurDelay = expiry.limit === 'idle' && this.events.isFull;
        if (isOurDelay) this.#timers.noteOutput();
        else this.stop({ kind: 'timed-out', ...expiry });
      },
      clock,
    );
    this.questions = new LiveQuestions({
      request,
      holdTime: () => this.#timers.hold(),
      waitUntilTold: () => this.events.waitUntilRead(),
      say: (event) => this.#emit(event),
      withdrawn: this.#stopping.signal,
    });
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** The reason why the turn was stopped from outside, if it was. The first one counts. */
  get stopReason(): StopReason | undefined {
    return this.#stopReason;
  }

  /** The process the turn runs in, as soon as there is one. */
  get process(): LiveProcess | undefined {
    return this.#process;
  }

  /** Lines of this turn that were too long to read. */
  get skippedLines(): number {
    return (this.#process?.connection.lines.skippedLines ?? 0) - this.#skippedBefore;
  }

  /** The agent has been asked, so it may have done something. */
  get hasBegun(): boolean {
    return this.#cancel !== undefined;
  }

  /** Does the work of the turn. When it is done, one way or another, nothing is stopped any more. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = work().finally(() => this.#finish());
    this.#work = running;
    return running;
  }

  stop(reason: StopReason): void {
    if (this.#isOver || this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    void this.#stopWork();
  }

  /** From now on the turn runs in this process; `undefined`: in none. */
  moveTo(process: LiveProcess | undefined): void {
    this.#process = process;
    this.#skippedBefore = process?.connection.lines.skippedLines ?? 0;
    if (process === undefined) return;
    process.connection.client = this;
    process.setBusy(true);
    if (this.#stopReason !== undefined) void this.#stopWork();
  }

  begin(cancel: () => void): () => void {
    this.#cancel = cancel;
    return () => this.#stopping.abort();
  }

  say(events: readonly ReaderEvent[]): void {
    for (const event of events) if (this.questions.note(event)) this.#emit(event);
  }

  noteOutput(): void {
    this.#timers.noteOutput();
  }

  waitForRoom(): Promise<void> {
    return this.events.waitForRoom();
  }

  /** Asks the agent to stop, if it has been asked anything, and stops its process if that does not help. */
  async #stopWork(): Promise<void> {
    this.#stopping.abort();
    this.#cancel?.();
    if (this.#cancel !== undefined && (await settlesWithin(this.#work, CANCEL_MILLISECONDS))) return;
    await this.#process?.stop();
  }

  #finish(): void {
    this.#isOver = true;
    this.#timers.stop();
    this.#stopping.abort();
    this.events.close();
    this.#signal.removeEventListener('abort', this.#onAbort);
    if (this.#process === undefined) return;
    this.#process.connection.client = undefined;
    this.#process.setBusy(false);
  }

  #emit(event: ReaderEvent): void {
    this.events.push(this.answer.add(this.#repair(event)));
  }
}
