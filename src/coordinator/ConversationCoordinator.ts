import type { OpenTurn } from '../conversation/Agenda.js';
import type { ConversationState } from '../conversation/ConversationState.js';
import { describeRenaming } from '../conversation/describeRenaming.js';
import { isContinuing, type Phase, phaseOf } from '../conversation/questions.js';
import { nextTurns } from '../conversation/TurnQueue.js';
import type { FileAction } from '../files/actions/describeFileAction.js';
import type { FilesDiff } from '../files/actions/diffFiles.js';
import type { FileHistory } from '../files/changes/fileHistory.js';
import type { ConversationEvent, ConversationFact, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { findReachedLimit, takeAllowed } from '../routing/limits.js';
import { dropTurns, retryTurns } from '../routing/queueTurns.js';
import { findAgent, requireHuman } from '../routing/teamMembers.js';
import { WorkLoop } from '../utils/WorkLoop.js';
import type {
  ConversationSnapshot,
  FileActionOptions,
  FileSelectionOptions,
  SendOptions,
} from './Conversation.js';
import type { ActedFor, DecidingConversation, Grant } from './Grant.js';
import { Ledger } from './Ledger.js';
import { prepareSaid } from './prepareMessage.js';
import { RoundRunner, type RunnerParts } from './RoundRunner.js';

/** Loaded when it is asked for: most conversations are held without. */
const FILES = () => import('../files/actions/filesOfConversation.js');

/**
 * Runs a conversation. It decides what happens next and records it; what the conversation is follows from what is
 * recorded. The loop runs while there is something to do and is started by whatever may have changed that.
 */
export class ConversationCoordinator implements DecidingConversation {
  readonly #parts: RunnerParts;
  readonly #ledger: Ledger;
  readonly #rounds: RoundRunner;
  /** Fails when what happened could not be written down: the conversation then goes no further in this process. */
  readonly #loop = new WorkLoop(
    () => this.#closing === null && (this.#adopted.length > 0 || isContinuing(this.#state)),
    () => this.#takeNext(),
    () => this.#parts.pace?.untilNext(),
  );
  /** Turns that were left running on other machines, and are not followed yet. */
  readonly #adopted: OpenTurn[] = [];
  #closing: Promise<void> | null = null;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#ledger = new Ledger(parts, (error) => {
      this.#loop.fail(error);
      this.#rounds.stop(error);
    });
    this.#rounds = new RoundRunner(parts, this.#ledger);
  }

  get id(): ConversationId {
    return this.#parts.log.id;
  }

  get team(): Team {
    return this.#parts.team;
  }

  get failure(): WorkLoop['failure'] {
    return this.#loop.failure;
  }

  get restoredSeq(): number {
    return this.#parts.log.restoredSeq ?? 0;
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

  actFor<Value>(grant: Grant, verb: () => Promise<Value>): ActedFor<Value> {
    return this.#ledger.actFor(grant, verb);
  }

  /** Stores what a person or a program says, routes it and sets the loop going. */
  async send(content: string, options: SendOptions = {}): Promise<ConversationMessage> {
    this.#requireOpen();
    const { message, facts, isAside } = prepareSaid(content, options, {
      team: this.team,
      state: this.#state,
      context: this.#parts.context,
    });
    this.record([...(isAside ? [] : this.#endPause()), ...facts]);
    await this.#continue();
    return message;
  }

  async cancel({ drop = false }: { readonly drop?: boolean } = {}): Promise<void> {
    if (this.#closing !== null) return;
    if (drop) this.#rounds.drop();
    const { pause, running, queue } = this.#state;
    const facts: ConversationFact[] = drop ? dropTurns(queue) : [];
    if (pause === null && running.length + queue.length > 0)
      facts.unshift({ type: 'conversation-pause', reason: { kind: 'cancelled' } });
    try {
      this.record(facts);
    } finally {
      this.#rounds.stop();
    }
    await this.kept();
  }

  async skipLook(): Promise<void> {
    this.#requireOpen();
    this.#rounds.files?.recorder.skipLook();
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
    this.#rounds.permissions.answer(requestId, verdict, requireHuman(this.team, as).id);
    await this.kept();
  }

  async files(): Promise<FileHistory> {
    return (await FILES()).readFiles(this, this.#rounds.files);
  }

  async diff(what?: string, { paths }: FileSelectionOptions = {}): Promise<FilesDiff> {
    return (await FILES()).readDiff(this, this.#rounds.files, { what, paths });
  }

  async undo(what?: string, options: FileActionOptions = {}): Promise<FileAction> {
    this.#requireOpen();
    return (await FILES()).changeFiles(this, this.#rounds.files, { ...options, action: 'undo', what });
  }

  async apply(turn: string, options: FileActionOptions = {}): Promise<FileAction> {
    this.#requireOpen();
    return (await FILES()).changeFiles(this, this.#rounds.files, { ...options, action: 'apply', what: turn });
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
    this.#rounds.stop();
    this.#rounds.files?.recorder.hurry();
    await this.#loop.atRest();
    const { agents, log } = this.#parts;
    const leaving = agents.close();
    try {
      await this.#ledger.saveCheckpoint();
    } catch {
      // `settled` reports what could not be saved.
    }
    // Before the log, which lets the next process in.
    await this.#rounds.files?.recorder.close();
    await log.close();
    await leaving;
  }

  /** Runs what comes next, unless a limit is reached: checked before turns start, so that none is overshot. */
  async #takeNext(): Promise<void> {
    if (this.#adopted.length > 0) return this.#rounds.followAdopted(this.#adopted.splice(0));
    const { queue, counters } = this.#state;
    const reason = findReachedLimit(counters, this.team.limits);
    if (reason !== null) this.record([{ type: 'conversation-pause', reason }]);
    else await this.#rounds.run(takeAllowed(nextTurns(queue), counters, this.team.limits));
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

  get #state(): ConversationState {
    return this.#ledger.status.state;
  }

  #requireOpen(): void {
    if (this.#closing !== null) throw new HuddleError('CONVERSATION_CLOSED', {});
    this.#loop.throwFailure();
  }
}
