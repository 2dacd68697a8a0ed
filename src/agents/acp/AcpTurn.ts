import { putSystemTextInPrompt, SYSTEM_TEXT_IN_PROMPT } from '../../models/systemTextInPrompt.js';
import type { TurnRequest } from '../AgentAdapter.js';
import { type ReaderEvent, sessionEvents, type TurnEvent, type Verdict } from '../dialect/Dialect.js';
import { AnswerText } from '../process/AnswerText.js';
import type { StopReason } from '../process/judgeTurn.js';
import { settlesWithin } from '../process/settlesWithin.js';
import { createEventRepair } from '../process/turnOutput.js';
import { type Clock, TurnTimers } from '../process/turnTimers.js';
import type { AcpClient, AcpConnection } from './AcpConnection.js';
import type { AcpProcess } from './AcpProcess.js';
import { AcpRequests } from './AcpRequests.js';
import { EventQueue } from './EventQueue.js';
import { isAnswer } from './failures.js';
import type { KnownAcpAgent } from './knownAgents.js';
import { chooseServersFor, configureSession, openSession, takesSystemText } from './openSession.js';
import { readStopReason, readUsage } from './promptAnswer.js';
import { UpdateReader } from './UpdateReader.js';

/** An agent that was asked to stop its turn gets this long to say that it has; then it is stopped itself. */
const CANCEL_MILLISECONDS = 1000;

export interface AcpTurnOptions {
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  readonly known: KnownAcpAgent | undefined;
  readonly clock?: Clock;
}

/**
 * A turn: one prompt to one agent, what comes back, what it asks for on the way, and the time it has. It is stopped on
 * abort or when its time is up; its process stays, unless the agent does not stop.
 */
export class AcpTurn implements AcpClient {
  readonly events = new EventQueue<TurnEvent>();
  readonly answer = new AnswerText();
  readonly requests: AcpRequests;
  readonly #options: AcpTurnOptions;
  readonly #timers: TurnTimers;
  readonly #reader = new UpdateReader();
  readonly #repair = createEventRepair();
  /** Aborted when the turn is over, or on its way there: its questions need no answer any more. */
  readonly #stopping = new AbortController();
  readonly #onAbort = (): void => this.stop({ kind: 'cancelled' });
  #work: Promise<unknown> = Promise.resolve();
  #isOver = false;
  #stopReason: StopReason | undefined;
  #process: AcpProcess | undefined;
  #skippedBefore = 0;
  /** Set when the agent has been asked. */
  #session: { readonly connection: AcpConnection; readonly sessionId: string } | undefined;
  #isAnswering = false;
  /** The agent has told of its work on the prompt. */
  #hasWorked = false;

  constructor(options: AcpTurnOptions) {
    const { request, signal, clock } = options;
    this.#options = options;
    this.#timers = new TurnTimers(
      request.limits,
      (expiry) => {
        const isOurDelay = expiry.limit === 'idle' && this.events.isFull;
        if (isOurDelay) this.#timers.noteOutput();
        else this.stop({ kind: 'timed-out', ...expiry });
      },
      clock,
    );
    this.requests = new AcpRequests({
      request,
      tools: this.#reader.tools,
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
  get process(): AcpProcess | undefined {
    return this.#process;
  }

  /** Lines of this turn that were too long to read. */
  get skippedLines(): number {
    return (this.#process?.connection.lines.skippedLines ?? 0) - this.#skippedBefore;
  }

  /** The agent has been asked, so it may have done something. */
  get hasBegun(): boolean {
    return this.#session !== undefined;
  }

  /** Set while the agent works on the prompt: history that comes with an opened session is not part of the turn. */
  get sessionId(): string | undefined {
    return this.#isAnswering ? this.#session?.sessionId : undefined;
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
  moveTo(process: AcpProcess | undefined): void {
    this.#process = process;
    this.#skippedBefore = process?.connection.lines.skippedLines ?? 0;
    if (process === undefined) return;
    process.connection.client = this;
    process.setBusy(true);
    if (this.#stopReason !== undefined) void this.#stopWork();
  }

  /** Asks the agent. `undefined`: it did not say how the turn ended. Throws AcpTurnError, and the agent's own errors. */
  async prompt(connection: AcpConnection): Promise<Verdict | undefined> {
    const { request, known } = this.#options;
    const session = await openSession(connection, request);
    await configureSession(connection, session, request, known);
    const { sessionId } = session;
    this.#say(sessionEvents(sessionId));
    this.#say(chooseServersFor(connection, request).warnings);
    this.#session = { connection, sessionId };
    this.#isAnswering = true;
    try {
      const isBeside = !request.systemFlag || takesSystemText(connection);
      if (!isBeside) this.#say([SYSTEM_TEXT_IN_PROMPT]);
      const { prompt } = isBeside ? request : putSystemTextInPrompt(request);
      const answer = await connection.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: prompt }],
      });
      this.#say(this.#reader.end());
      const usage = readUsage(answer, this.#reader, request.sessionTotals);
      if (usage !== undefined) this.#say([usage]);
      const verdict = readStopReason(answer);
      if (verdict?.ok === false) this.#noteKept(sessionId);
      return verdict;
    } catch (error) {
      if (isAnswer(error)) this.#noteKept(sessionId);
      throw error;
    } finally {
      this.#isAnswering = false;
      this.#stopping.abort();
    }
  }

  onOutput(): void {
    this.#timers.noteOutput();
  }

  waitForRoom(): Promise<void> {
    return this.events.waitForRoom();
  }

  onUpdate(update: unknown): void {
    const events = this.#reader.read(update);
    this.#hasWorked ||= events.some(({ type }) => type !== 'raw');
    this.#say(events);
  }

  /** Asks the agent to stop, if it has been asked anything, and stops its process if that does not help. */
  async #stopWork(): Promise<void> {
    this.#stopping.abort();
    if (this.#session !== undefined) {
      const { connection, sessionId } = this.#session;
      connection.notify('session/cancel', { sessionId });
      if (await settlesWithin(this.#work, CANCEL_MILLISECONDS)) return;
    }
    await this.#process?.stop();
  }

  #finish(): void {
    this.#isOver = true;
    this.#timers.stop();
    this.#stopping.abort();
    this.events.close();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    if (this.#process === undefined) return;
    this.#process.connection.client = undefined;
    this.#process.setBusy(false);
  }

  /**
   * The agent itself has ended the turn without an answer: what its session then holds is known of some. One that had told
   * of no work may not have put the prompt into its session yet.
   */
  #noteKept(sessionId: string): void {
    const { keepsPrompt } = this.#options.known ?? {};
    const isKnown = keepsPrompt === false || this.#hasWorked;
    this.#say(sessionEvents(sessionId, { holdsPrompt: isKnown ? keepsPrompt : undefined }));
  }

  #say(events: readonly ReaderEvent[]): void {
    for (const event of events) if (this.requests.note(event)) this.#emit(event);
  }

  #emit(event: ReaderEvent): void {
    this.events.push(this.answer.add(this.#repair(event)));
  }
}
