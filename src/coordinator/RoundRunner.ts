import type { AgentManager } from '../agents/AgentManager.js';
import type { OpenTurn } from '../conversation/Agenda.js';
import type { TurnQueue } from '../conversation/TurnQueue.js';
import type { FileRecorderParts } from '../files/recorder/FileRecorder.js';
import type { WorkingFiles } from '../files/recorder/WorkingFiles.js';
import type { ConversationFact, QueuedTurn } from '../models/ConversationEvent.js';
import { PromptBudgetError } from '../models/errors.js';
import { dropFollowing } from '../routing/queueTurns.js';
import { requireAgent } from '../routing/teamMembers.js';
import type { Claim } from '../store/Store.js';
import { Semaphore } from '../utils/Semaphore.js';
import { concludeTurn, type EndedTurn, refuseTurn, stopTurn } from './concludeTurn.js';
import { createWorkingFiles } from './createWorkingFiles.js';
import { type ExamineOptions, findUnforkable } from './inheritedSessions.js';
import type { Ledger, LedgerParts } from './Ledger.js';
import { PermissionBroker } from './PermissionBroker.js';
import { describeSend, prepareTurn } from './prepareTurn.js';
import { type Pace, Round } from './Round.js';
import { interrupt } from './reopenFacts.js';
import { adoptTurn, type RunningTurn, runTurn, startAgent } from './runTurn.js';

export interface RunnerParts extends LedgerParts, ExamineOptions {
  readonly agents: AgentManager;
  /** People are there to answer permission requests. */
  readonly interactive: boolean;
  /** The files that agents work on. Absent: nothing is recorded of them. */
  readonly files?: Pick<FileRecorderParts, 'folder' | 'openWorkspace'> | undefined;
  /** Absent: turns start as soon as they can. */
  readonly pace?: Pace | undefined;
}

/** Runs turns, those of a blind round together: prompt, agent, and what came of it. */
export class RoundRunner {
  readonly permissions: PermissionBroker;
  /** Absent: nothing is recorded of files. */
  readonly files: WorkingFiles | undefined;
  readonly #parts: RunnerParts;
  readonly #ledger: Ledger;
  /** Lets as many agents work at the same time as the team allows. */
  readonly #slots: Semaphore;
  /** Stops the turns that run now. */
  #abort = new AbortController();
  /** No turn follows from those that run now. */
  #drops = false;

  constructor(parts: RunnerParts, ledger: Ledger) {
    const { team, interactive, logger } = parts;
    this.#parts = parts;
    this.#ledger = ledger;
    this.#slots = new Semaphore(team.limits.parallel);
    this.permissions = new PermissionBroker({
      asksPeople: interactive && team.members.some(({ type }) => type === 'human'),
      record: (facts) => ledger.record(facts),
      kept: () => ledger.kept(),
      onFailure: (error) => {
        logger.error?.(`A permission request could not be recorded: ${String(error)}`);
        this.stop();
      },
    });
    this.files =
      parts.files &&
      createWorkingFiles({ ...parts, ...parts.files }, ledger, (facts) => this.#recordOutcome(facts));
  }

  /** Stops the turns that run. */
  stop(reason?: unknown): void {
    this.#abort.abort(reason);
  }

  /** From now on no turn follows from those that run. */
  drop(): void {
    this.#drops = true;
  }

  /** Runs one turn, or a blind round: all start from the same moment, and the answers are revealed together. */
  async run(turns: TurnQueue): Promise<void> {
    const signal = this.#begin();
    const { pace, agents, team } = this.#parts;
    // Played, they are told in their place.
    const unforkable = pace ? undefined : findUnforkable(turns, this.#ledger.status.memory, this.#parts);
    if (unforkable !== undefined) this.#ledger.record(await unforkable);
    const source = pace ?? this.files;
    // A turn that runs elsewhere works on no file here.
    const local = turns.filter(({ memberId }) => !agents.runsElsewhere(requireAgent(team, memberId)));
    const folders = source && local.length > 0 ? await source.begin(local, signal) : undefined;
    const { pause, queue } = this.#ledger.status.state;
    const waiting = turns.filter(({ turnId }) => queue.some((turn) => turn.turnId === turnId));
    if (signal.aborted || pause !== null || waiting.length < turns.length) {
      // A person stopped or replaced them while the folder was looked at. Paused or closed meanwhile, they stay in the queue.
      if (pause?.kind === 'cancelled') for (const turn of waiting) this.#conclude(stopTurn(turn, team));
      return folders?.leave();
    }
    const round = new Round(turns, folders);
    const runs = await Promise.allSettled(turns.map((turn) => this.sendToAgent(turn, round)));
    const broken = runs.find((run) => run.status === 'rejected');
    if (broken !== undefined) {
      await folders?.leave();
      throw broken.reason;
    }
    if (folders !== undefined) await folders.end();
  }

  /** Runs one turn until nothing of the agent is left. */
  async sendToAgent(turn: QueuedTurn, round: Round): Promise<void> {
    const { team, agents, logger } = this.#parts;
    const member = requireAgent(team, turn.memberId);
    let leave: (() => void) | undefined;
    try {
      const prepared = prepareTurn(turn, member, round.folders, this.#parts, this.#ledger.status);
      this.#ledger.record(prepared.facts);
      logger.debug?.(describeSend(member, prepared));
      const kept = this.#ledger.kept();
      if (kept !== undefined) await kept;
      const { signal } = this.#abort;
      // A turn that is stopped while it waits ends like any other.
      leave = await this.#slots.acquire(signal);
      const events = startAgent(prepared, agents, this.permissions, signal);
      await this.#follow(
        { turn, member, events, session: prepared.sent.session, folders: prepared.folders },
        round,
      );
    } catch (error) {
      if (error instanceof PromptBudgetError) return this.#endTurn(refuseTurn(turn, member, error), round);
      this.stop();
      throw error;
    } finally {
      leave?.();
    }
  }

  /** Follows turns that run on, on other machines, although the process that asked for them is gone. */
  async followAdopted(turns: readonly OpenTurn[]): Promise<void> {
    const signal = this.#begin();
    const found = await Promise.all(turns.map((turn) => adoptTurn(turn, this.#parts, signal)));
    for (const [index, turn] of turns.entries())
      if (found[index] === null) this.#ledger.record(interrupt(turn, this.#ledger.status));
    const runs = found.filter((running) => running !== null);
    // What is left of a blind round is told together.
    const blind = new Round(
      runs.map(({ turn }) => turn).filter(({ blindRound }) => blindRound !== undefined),
    );
    await Promise.all(
      runs.map((running) =>
        this.#follow(running, blind.turns.includes(running.turn) ? blind : new Round([running.turn])),
      ),
    );
  }

  /** Records and shows what comes of a turn; of a blind round nothing is shown before all have ended. */
  async #follow(running: RunningTurn, round: Round): Promise<void> {
    const { turn } = running;
    for await (const step of runTurn(running, this.#parts)) {
      if (step.kind === 'facts') this.#ledger.record(step.facts, step.claim);
      else if (step.kind === 'end') this.#endTurn(step.ended, round);
      else if (turn.blindRound === undefined) this.#ledger.showProgress(turn, step.event);
      if (this.#ledger.isFull) await this.#ledger.kept();
    }
  }

  /** Gives the signal that stops the turns that begin now. */
  #begin(): AbortSignal {
    this.#abort = new AbortController();
    this.#drops = false;
    return this.#abort.signal;
  }

  #endTurn(ended: EndedTurn, round: Round): void {
    for (const each of round.end(ended)) this.#conclude(each);
  }

  #conclude(ended: EndedTurn): void {
    const { team, context } = this.#parts;
    const { status } = this.#ledger;
    const moment = { team, context, state: status.state };
    this.#recordOutcome(concludeTurn(ended, moment, status), ended.claim);
  }

  /** Records what came of the turns that run now. */
  #recordOutcome(facts: readonly ConversationFact[], claim?: Claim): void {
    this.#ledger.record(this.#drops ? dropFollowing(facts) : facts, claim);
  }
}
