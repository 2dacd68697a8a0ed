import type { AgentEvent } from '../../models/AgentEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { TurnOutcome } from '../../models/TurnOutcome.js';
import type { TurnRequest } from '../AgentAdapter.js';
import type { DialectFailure, Verdict } from '../dialect/Dialect.js';
import { numberOf } from '../dialect/records.js';
import { describeOddities, type FollowOptions } from '../process/followAgent.js';
import { describeFailure, judgeTurn, type TurnIdentity } from '../process/judgeTurn.js';
import { Semaphore } from '../process/Semaphore.js';
import type { SpawnRequest } from '../process/spawnAgent.js';
import { AcpProcess, type AcpStart, type ClientFiles } from './AcpProcess.js';
import { AcpSupervisor } from './AcpSupervisor.js';
import { describeRequestError, isAnswer, loginHintFrom } from './failures.js';
import type { KnownAcpAgent } from './knownAgents.js';
import { AcpTurnError } from './openSession.js';

export interface AcpMemberOptions extends FollowOptions {
  readonly known: KnownAcpAgent | undefined;
  readonly spawn: (marker: string) => SpawnRequest;
  readonly identity: TurnIdentity;
  /** How many agents work at once. */
  readonly slots: Semaphore;
}

/** How a turn went: what the agent said, or why there was no agent. */
type Run =
  | { readonly kind: 'ran'; readonly verdict: Verdict | undefined }
  | { readonly kind: 'not-started'; readonly failure: DialectFailure };

/** One member and its process, which is started with its first turn and stays for those that follow. */
export class AcpMember {
  readonly #options: AcpMemberOptions;
  readonly #turns = new Semaphore(1);
  #process: AcpProcess | undefined;
  #supervisor: AcpSupervisor | undefined;

  constructor(options: AcpMemberOptions) {
    this.#options = options;
  }

  /** One turn after the other. The last event is the one `end`; leaving early stops the turn and waits for that. */
  async *runTurn(request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
    const places = [await this.#turns.acquire(signal), await this.#options.slots.acquire(signal)];
    try {
      if (places.includes(undefined)) yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
      else yield* this.#runAlone(request, signal);
    } finally {
      for (const leave of places) leave?.();
    }
  }

  async close(): Promise<void> {
    this.#supervisor?.stop({ kind: 'cancelled' });
    await this.#process?.stop();
  }

  async *#runAlone(request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
    const { known, clock, identity } = this.#options;
    const supervisor = new AcpSupervisor({ request, signal, known, clock });
    this.#supervisor = supervisor;
    const work = this.#run(supervisor);
    try {
      yield* supervisor.turn.events;
      const run = await work;
      const outcome = this.#judge(run, supervisor);
      if (outcome.kind === 'completed') yield* describeOddities(undefined, supervisor.skippedLines, identity);
      yield { type: 'end', outcome };
    } finally {
      supervisor.turn.events.close();
      supervisor.stop({ kind: 'cancelled' });
      // What went wrong has been thrown above; whoever leaves early does not want to know.
      await work.catch(() => undefined);
      this.#supervisor = undefined;
    }
  }

  /** A process that had left before it was asked anything has done nothing yet: another one takes the turn. */
  async #run(supervisor: AcpSupervisor): Promise<Run> {
    const isKept = this.#process !== undefined;
    try {
      const run = await this.#runOnce(supervisor);
      const isOver = run.kind === 'not-started' || run.verdict !== undefined || supervisor.turn.hasBegun;
      if (isOver || !isKept || supervisor.stopReason !== undefined) return run;
      await supervisor.process?.stop();
      return await this.#runOnce(supervisor);
    } finally {
      supervisor.end();
    }
  }

  async #runOnce(supervisor: AcpSupervisor): Promise<Run> {
    let initialized: unknown;
    try {
      const start = await this.#requireProcess();
      if (start.kind === 'failed') return { kind: 'not-started', failure: start.failure };
      supervisor.watch(start.process);
      initialized = await start.process.initialize(clientFiles(this.#options.known));
      requireKnownVersion(initialized, start.process.agent.protocolVersion);
      return { kind: 'ran', verdict: await supervisor.turn.run(start.process.agent, initialized) };
    } catch (error) {
      return { kind: 'ran', verdict: await this.#explain(error, initialized, supervisor) };
    }
  }

  /** What an error means for the turn. `undefined`: the agent is gone, and how it went decides. */
  async #explain(
    error: unknown,
    initialized: unknown,
    { process, turn }: AcpSupervisor,
  ): Promise<Verdict | undefined> {
    if (error instanceof HuddleError) throw error;
    const failure = this.#failureIn(error, initialized);
    if (failure === undefined) {
      await process?.waitForLastWords();
      return undefined;
    }
    // Logging in and updating happen elsewhere: only a new process is sure to know of it.
    const isMendedElsewhere = !turn.hasBegun && failure.code !== 'SESSION_UNKNOWN';
    if (failure.code === 'AUTH' || isMendedElsewhere) void process?.stop();
    return { ok: false, failure };
  }

  #failureIn(error: unknown, initialized: unknown): DialectFailure | undefined {
    if (error instanceof AcpTurnError) return error.failure;
    if (!isAnswer(error)) return undefined;
    const { known, identity } = this.#options;
    const loginHint = known?.loginHint ?? loginHintFrom(initialized, identity.command[0] ?? '');
    return describeRequestError(error, loginHint);
  }

  /** The one from the turn before, or a new one when that is gone. */
  async #requireProcess(): Promise<AcpStart> {
    if (this.#process?.isLeaving) await this.#process.stop();
    if (this.#process !== undefined) return { kind: 'started', process: this.#process };
    const { spawn, maxLineBytes, logger, identity } = this.#options;
    const start = await AcpProcess.start({
      spawn,
      maxLineBytes,
      logger,
      memberName: identity.memberName,
      onOutput: () => this.#supervisor?.timers.noteOutput(),
      waitForRoom: async () => this.#supervisor?.turn.events.waitForRoom(),
      onGone: (process) => {
        if (this.#process === process) this.#process = undefined;
      },
    });
    if (start.kind === 'started') this.#process = start.process;
    return start;
  }

  #judge(run: Run, { turn, stopReason, process, skippedLines }: AcpSupervisor): TurnOutcome {
    const { identity } = this.#options;
    const { text, draft } = turn.answer;
    if (run.kind === 'not-started' && stopReason === undefined)
      return { kind: 'failed', failure: describeFailure(run.failure, identity), draft };
    const facts = {
      stopReason,
      verdict: run.kind === 'ran' ? run.verdict : undefined,
      exit: process?.exit,
      text,
      draft,
      skippedLines,
      badSample: process?.agent.output.badSample,
      stderr: process?.stderr ?? '',
    };
    return judgeTurn(facts, { output: 'json-lines' }, identity);
  }
}

function requireKnownVersion(initialized: unknown, known: number): void {
  const version = numberOf(initialized, 'protocolVersion');
  if (version === known) return;
  throw new AcpTurnError({
    code: 'AGENT_ERROR',
    message: `speaks version ${version ?? 'unknown'} of the Agent Client Protocol; version ${known} is needed`,
    hint: 'Update the agent, or Huddle.',
  });
}

function clientFiles(known: KnownAcpAgent | undefined): ClientFiles {
  return { readTextFile: known?.readsFilesItself !== true, writeTextFile: true };
}
