import type { PermissionQuestion } from '../agents/AgentAdapter.js';
import type { AgentManager } from '../agents/AgentManager.js';
import type { OpenTurn } from '../conversation/Agenda.js';
import type { ConversationState } from '../conversation/ConversationState.js';
import { describeRenaming } from '../conversation/describeRenaming.js';
import type { FileHistory } from '../conversation/files/fileHistory.js';
import { isContinuing, type Phase, phaseOf } from '../conversation/questions.js';
import { nextTurns, type TurnQueue } from '../conversation/TurnQueue.js';
import type {
  ConversationEvent,
  ConversationFact,
  QueuedTurn,
  RecordedEvent,
} from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { HuddleError, PromptBudgetError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { findReachedLimit, takeAllowed } from '../routing/limits.js';
import { retryTurns } from '../routing/queueTurns.js';
import {
  findAgent,
  requireAgent,
  requireHuman,
  requireSpeaker,
  sanitizeSource,
} from '../routing/teamMembers.js';
import type { Taking } from '../store/Store.js';
import { isBlank } from '../utils/isBlank.js';
import { Semaphore } from '../utils/Semaphore.js';
import { WorkLoop } from '../utils/WorkLoop.js';
import { followAdopted } from './adoptTurns.js';
import { beginTurn } from './beginTurn.js';
import type {
  ConversationSnapshot,
  FileActionOptions,
  FileSelectionOptions,
  SendOptions,
} from './Conversation.js';
import { describeCancel, dropFollowing } from './cancelFacts.js';
import { describeSend } from './debugLines.js';
import { createWorkingFiles } from './files/createWorkingFiles.js';
import type { FileAction } from './files/describeFileAction.js';
import type { FilesDiff } from './files/diffFiles.js';
import type { FileRecorderParts } from './files/FileRecorder.js';
import { runInFolder, type TurnFolder } from './files/runInFolder.js';
import type { WorkingFiles } from './files/WorkingFiles.js';
import { followTurn, type TurnRecorder } from './followTurn.js';
import { type ExamineOptions, findUnforkable } from './inheritedSessions.js';
import { Ledger, type LedgerParts } from './Ledger.js';
import type { ActedFor, DecidingConversation, Mandate } from './Mandate.js';
import type { Pace } from './Pace.js';
import { PermissionBroker } from './PermissionBroker.js';
import { prepareMessage, type RoutingInput } from './prepareMessage.js';
import { Round } from './Round.js';
import { RoundRecorder } from './RoundRecorder.js';
import { interrupt } from './reopenFacts.js';
import { concludeTurn, type EndedTurn, refuseTurn, stopTurn } from './turnFacts.js';
import { describeAddress, nameOutside } from './turnNames.js';

export interface CoordinatorParts extends LedgerParts, ExamineOptions {
  readonly agents: AgentManager;
  /** People are there to answer permission requests. */
  readonly interactive: boolean;
  /** The files that agents work on. Absent: nothing is recorded of them. */
  readonly files?: Pick<FileRecorderParts, 'folder' | 'openWorkspace'> | undefined;
  /** Absent: turns start as soon as they can. */
  readonly pace?: Pace | undefined;
}

/** Loaded when it is asked for: most conversations are held without. */
const FILES = () => import('./files/filesOfConversation.js');

/**
 * Runs a conversation. It decides what happens next and records it; what the conversation is follows from what is
 * recorded. The loop runs while there is something to do and is started by whatever may have changed that.
 */
export class ConversationCoordinator implements DecidingConversation {
  readonly #parts: CoordinatorParts;
  readonly #ledger: Ledger;
  readonly #permissions: PermissionBroker;
  readonly #files: WorkingFiles | undefined;
  /** Fails when what happened could not be written down: the conversation then goes no further in this process. */
  readonly #loop = new WorkLoop(
    () => this.#closing === null && (this.#adopted.length > 0 || isContinuing(this.#state)),
    () => (this.#adopted.length > 0 ? this.#followAdopted() : this.#takeNext()),
    () => this.#parts.pace?.untilNext(),
  );
  /** Lets as many agents work at the same time as the team allows. */
  readonly #slots: Semaphore;
  /** Turns that were left running on other machines, and are not followed yet. */
  readonly #adopted: OpenTurn[] = [];
  /** Stops the turns that run now. */
  #abort = new AbortController();
  /** No turn follows from those that run now. */
  #drops = false;
  #closing: Promise<void> | null = null;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    this.#slots = new Semaphore(parts.team.limits.parallel);
    this.#ledger = new Ledger(parts, (error) => {
      this.#loop.fail(error);
      this.#abort.abort(error);
    });
    this.#permissions = new PermissionBroker({
      asksPeople: parts.interactive && parts.team.members.some(({ type }) => type === 'human'),
      record: (facts) => this.record(facts),
      kept: () => this.kept(),
      onFailure: (error) => {
        parts.logger.error?.(`A permission request could not be recorded: ${String(error)}`);
        this.#abort.abort();
      },
    });
    this.#files =
      parts.files &&
      createWorkingFiles({ ...parts, ...parts.files }, this.#ledger, (facts) => this.#recordOutcome(facts));
  }

  get id(): ConversationId {
    return this.#parts.log.id;
  }

  get team(): Team {
    return this.#parts.team;
  }

  /** Writes facts down, all or none. They count at once; others are told of them when they are durable. */
  record(facts: readonly ConversationFact[]): void {
    this.#ledger.record(facts);
  }

  /** Resolves when everything recorded is durable and told; undefined: now. */
  kept(): Promise<void> | undefined {
    return this.#ledger.kept();
  }

  /** Follows turns that the process before left running on other machines. */
  adopt(turns: readonly OpenTurn[]): void {
    this.#adopted.push(...turns);
    this.#loop.wake();
  }

  actFor<Value>(mandate: Mandate, verb: () => Promise<Value>): ActedFor<Value> {
    return this.#ledger.actFor(mandate, verb);
  }

  get failure(): WorkLoop['failure'] {
    return this.#loop.failure;
  }

  /** Stores what a person or a program says, routes it and sets the loop going. */
  async send(content: string, options: SendOptions = {}): Promise<ConversationMessage> {
    this.#requireOpen();
    const via = options.via && sanitizeSource(options.via);
    const speaker = requireSpeaker(this.team, { as: options.as, via });
    if (isBlank(content)) throw new HuddleError('EMPTY_MESSAGE', {});
    const { message, facts, isAside } = prepareMessage({ content, speaker, via }, this.#moment);
    this.record([...(isAside ? [] : this.#endPause()), ...facts]);
    await this.#continue();
    return message;
  }

  async cancel({ drop = false }: { readonly drop?: boolean } = {}): Promise<void> {
    if (this.#closing !== null) return;
    this.#drops ||= drop;
    try {
      this.record(describeCancel(this.#state, drop));
    } finally {
      this.#abort.abort();
    }
    await this.kept();
  }

  async skipLook(): Promise<void> {
    this.#requireOpen();
    this.#files?.recorder.skipLook();
    await this.kept();
  }

  async pause(): Promise<void> {
    this.#requireOpen();
    if (this.#state.pause === null) this.record([{ type: 'conversation-pause', reason: { kind: 'asked' } }]);
    await this.kept();
  }

  async resume(): Promise<void> {
    this.#requireOpen();
    const { pause } = this.#state;
    if (pause !== null) this.record([{ type: 'conversation-resume', pastLimit: pause.kind === 'limit' }]);
    await this.#continue();
  }

  async retry(): Promise<number> {
    this.#requireOpen();
    const { unfinished, turnCount } = this.#state;
    const wanted = unfinished.flatMap(({ turn }) => (findAgent(this.team, turn.memberId) ? turn : []));
    const turns = retryTurns(wanted, turnCount);
    if (turns.length > 0) this.record([...this.#endPause(), { type: 'turns-queued', turns, place: 'front' }]);
    await this.#continue();
    return turns.length;
  }

  async rename(title: string): Promise<void> {
    this.#requireOpen();
    this.record([describeRenaming(title)]);
    await this.kept();
  }

  async answerPermission(
    requestId: string,
    verdict: 'allow' | 'deny',
    { as }: { readonly as?: string } = {},
  ): Promise<void> {
    this.#requireOpen();
    this.#permissions.answer(requestId, verdict, requireHuman(this.team, as).id);
    await this.kept();
  }

  async files(): Promise<FileHistory> {
    return (await FILES()).readFiles(this, this.#files);
  }

  async diff(what?: string, { paths }: FileSelectionOptions = {}): Promise<FilesDiff> {
    return (await FILES()).readDiff(this, this.#files, { what, paths });
  }

  async undo(what?: string, options: FileActionOptions = {}): Promise<FileAction> {
    this.#requireOpen();
    return (await FILES()).changeFiles(this, this.#files, { ...options, action: 'undo', what });
  }

  async apply(turn: string, options: FileActionOptions = {}): Promise<FileAction> {
    this.#requireOpen();
    return (await FILES()).changeFiles(this, this.#files, { ...options, action: 'apply', what: turn });
  }

  get restoredSeq(): number {
    return this.#parts.log.restoredSeq ?? 0;
  }

  async *history(): AsyncGenerator<RecordedEvent> {
    const { log } = this.#parts;
    const { lastSeq } = log;
    await this.kept();
    yield* log.read(1, lastSeq);
  }

  subscribe(listener: (event: ConversationEvent) => void): () => void {
    return this.#ledger.subscribe(listener);
  }

  snapshot(): ConversationSnapshot {
    return this.#ledger.snapshot();
  }

  async settled(): Promise<Phase> {
    for (;;) {
      await this.#loop.atRest();
      this.#loop.throwFailure();
      const kept = this.kept();
      if (kept === undefined) return phaseOf(this.#state);
      await kept;
    }
  }

  close(): Promise<void> {
    // Not before this is set: a listener that hears of a stopped turn must find the conversation closed.
    this.#closing ??= Promise.resolve().then(() => this.#close());
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#abort.abort();
    this.#files?.recorder.hurry();
    await this.#loop.atRest();
    const { agents, log } = this.#parts;
    const leaving = agents.close();
    try {
      await this.#ledger.saveCheckpoint();
    } catch {
      // `settled` reports what could not be saved.
    }
    // Before the log, which lets the next process in.
    await this.#files?.recorder.close();
    await log.close();
    await leaving;
  }

  /** Runs what comes next, unless a limit is reached: checked before turns start, so that none is overshot. */
  async #takeNext(): Promise<void> {
    const { queue, counters } = this.#state;
    const reason = findReachedLimit(counters, this.team.limits);
    if (reason !== null) this.record([{ type: 'conversation-pause', reason }]);
    else await this.#runTurns(takeAllowed(nextTurns(queue), counters, this.team.limits));
  }

  /** Runs one turn, or a blind round: all start from the same moment, and the answers are revealed together. */
  async #runTurns(turns: TurnQueue): Promise<void> {
    const signal = this.#begin();
    const { pace, agents } = this.#parts;
    // Played, they are told in their place.
    const unforkable = pace ? undefined : findUnforkable(turns, this.#ledger.status.memory, this.#parts);
    if (unforkable !== undefined) this.record(await unforkable);
    const source = pace ?? this.#files;
    // A turn that runs elsewhere works on no file here.
    const local = turns.filter(({ memberId }) => !agents.runsElsewhere(requireAgent(this.team, memberId)));
    const files = source && local.length > 0 ? await source.begin(local, signal) : undefined;
    const { pause, queue } = this.#state;
    const waiting = turns.filter(({ turnId }) => queue.some((turn) => turn.turnId === turnId));
    if (signal.aborted || pause !== null || waiting.length < turns.length) {
      // A person stopped or replaced them while the folder was looked at. Paused or closed meanwhile, they stay in the queue.
      if (pause?.kind === 'cancelled') for (const turn of waiting) this.#conclude(stopTurn(turn, this.team));
      return files?.leave();
    }
    const round = new Round(turns, files);
    const runs = await Promise.allSettled(turns.map((turn) => this.sendToAgent(turn, round)));
    const broken = runs.find((run) => run.status === 'rejected');
    if (broken !== undefined) {
      await files?.leave();
      throw broken.reason;
    }
    if (files !== undefined) await files.end();
  }

  /** Runs one turn until nothing of the agent is left. */
  async sendToAgent(turn: QueuedTurn, round: Round): Promise<void> {
    const { agents, logger } = this.#parts;
    const { turnId, memberId } = turn;
    const member = requireAgent(this.team, memberId);
    let leave: (() => void) | undefined;
    try {
      const { facts, prepared, files } = beginTurn(turn, member, round, this.#parts, this.#ledger.status);
      const { request, sent } = prepared;
      this.record(facts);
      logger.debug?.(describeSend(member, prepared));
      const kept = this.kept();
      if (kept !== undefined) await kept;
      const askPermission = (question: PermissionQuestion) => this.#permissions.ask(member, turn, question);
      const { signal } = this.#abort;
      const names = {
        turnName: nameOutside(turnId, this.id),
        address: describeAddress(this.id, turn, member),
      };
      const whole = { ...request, ...names, askPermission };
      const run = (folder: TurnFolder) => agents.runTurn(member, { ...whole, ...folder }, signal);
      const start = () => (files ? runInFolder(files, turn, run, signal) : run({}));
      // A turn that is stopped while it waits ends like any other.
      leave = await this.#slots.acquire(signal);
      await followTurn({ turn, member, session: sent.session, start }, this.#recorderOf(round));
    } catch (error) {
      if (error instanceof PromptBudgetError) return this.#endTurn(refuseTurn(turn, member, error), round);
      this.#abort.abort();
      throw error;
    } finally {
      leave?.();
    }
  }

  /** Follows turns that run on, on other machines, although the process that asked for them is gone. */
  async #followAdopted(): Promise<void> {
    await followAdopted(this.#adopted.splice(0), {
      ...this.#parts,
      id: this.id,
      signal: this.#begin(),
      interrupt: (turn) => this.record(interrupt(turn, this.#ledger.status)),
      recorderOf: (together) => this.#recorderOf(new Round(together, undefined)),
    });
  }

  /** Gives the signal that stops the turns that begin now. */
  #begin(): AbortSignal {
    this.#abort = new AbortController();
    this.#drops = false;
    return this.#abort.signal;
  }

  #recorderOf(round: Round): TurnRecorder {
    return new RoundRecorder(this.#parts, this.#ledger, round, (ended) => this.#endTurn(ended, round));
  }

  #endTurn(ended: EndedTurn, round: Round): void {
    for (const each of round.end(ended)) this.#conclude(each);
  }

  #conclude(ended: EndedTurn): void {
    this.#recordOutcome(concludeTurn(ended, this.#moment, this.#ledger.status), ended.taking);
  }

  /** Records what came of the turns that run now. */
  #recordOutcome(facts: readonly ConversationFact[], taking?: Taking): void {
    this.#ledger.record(this.#drops ? dropFollowing(facts) : facts, taking);
  }

  /** Wakes the loop. Waits for what was recorded before that, not for what comes of it. */
  async #continue(): Promise<void> {
    const kept = this.kept();
    this.#loop.wake();
    await kept;
  }

  /** Ends a pause for a message or a retry; that goes past no limit. */
  #endPause(): ConversationFact[] {
    return this.#state.pause === null ? [] : [{ type: 'conversation-resume', pastLimit: false }];
  }

  get #moment(): RoutingInput {
    return { team: this.team, state: this.#state, context: this.#parts.context };
  }

  get #state(): ConversationState {
    return this.#ledger.status.state;
  }

  #requireOpen(): void {
    if (this.#closing !== null) throw new HuddleError('CONVERSATION_CLOSED', {});
    this.#loop.throwFailure();
  }
}
