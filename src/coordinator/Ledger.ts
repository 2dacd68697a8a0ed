import type { ContextManager } from '../context/ContextManager.js';
import {
  applyToStatus,
  type ConversationStatus,
  encodeStatus,
  INITIAL_STATUS,
} from '../conversation/ConversationStatus.js';
import { phaseOf } from '../conversation/questions.js';
import {
  type ConversationEvent,
  type ConversationFact,
  EVENT_VERSION,
  type QueuedTurn,
  type TurnProgress,
} from '../models/ConversationEvent.js';
import type { Claim, ConversationLog } from '../store/Store.js';
import { type Broadcast, createBroadcast } from '../utils/broadcast.js';
import type { Logger } from '../utils/logger.js';
import type { ConversationSnapshot } from './Conversation.js';
import { type ActedFor, type Grant, signFacts } from './Grant.js';
import type { LoadedConversation } from './loadConversation.js';
import { Outbox } from './Outbox.js';

export interface LedgerParts {
  readonly context: ContextManager;
  readonly log: ConversationLog;
  readonly logger: Logger;
  readonly clock: () => number;
  /** Set when a stored conversation is opened; its messages and task are in `context` then. */
  readonly loaded?: LoadedConversation | undefined;
}

/** The facts of a conversation: written down, then counted, then told to others when they are durable. */
export class Ledger {
  readonly #parts: LedgerParts;
  readonly #broadcast: Broadcast<ConversationEvent>;
  readonly #checkpoints: Checkpoints;
  readonly #outbox: Outbox;
  #status: ConversationStatus;
  /** The status that listeners know; behind `#status` while facts are not durable yet. */
  #told: ConversationStatus;
  #untoldMessages = 0;
  /** The role that the verb which is being called acts for, until something is recorded for it. */
  #grant: Grant | null = null;

  /** `onFailure` hears, once, that facts never became durable. */
  constructor(parts: LedgerParts, onFailure: (error: unknown) => void) {
    this.#parts = parts;
    this.#status = parts.loaded ?? INITIAL_STATUS;
    this.#told = this.#status;
    this.#checkpoints = new Checkpoints(parts.log, parts.logger, parts.loaded?.checkpointSeq ?? 0);
    this.#outbox = new Outbox(parts.log, onFailure);
    this.#broadcast = createBroadcast((error) => parts.logger.error?.(`A listener failed: ${String(error)}`));
  }

  /** Everything that follows from the facts so far. */
  get status(): ConversationStatus {
    return this.#status;
  }

  /** Whether so much waits to be durable that no more should come. */
  get isFull(): boolean {
    return this.#outbox.isFull;
  }

  /** Writes facts down, all or none. They count at once; others are told of them when they are durable. */
  record(facts: readonly ConversationFact[], claim?: Claim): void {
    if (facts.length === 0) return;
    this.#outbox.throwFailure();
    const { log, context, logger } = this.#parts;
    const grant = this.#grant;
    this.#grant = null;
    const events = log.append(signFacts(facts, grant), claim ?? grant?.claim);
    let messages = 0;
    for (const event of events) {
      this.#status = applyToStatus(this.#status, event);
      if (event.type === 'task-changed') context.setTeamTask(event.task);
      if (event.type !== 'message-added') continue;
      context.addMessage(event.message);
      messages++;
    }
    if (messages > 0) logger.debug?.(describeRoute(facts));
    const [status, seq] = [this.#status, log.lastSeq];
    this.#untoldMessages += messages;
    this.#outbox.tell(events, () => {
      this.#told = status;
      this.#untoldMessages -= messages;
      void this.#checkpoints.consider(seq, status);
      this.#broadcast.send(...events);
    });
  }

  /** Calls a verb for a role. What it records first, before it waits for anything, is signed and takes the command along. */
  actFor<Value>(grant: Grant, verb: () => Promise<Value>): ActedFor<Value> {
    this.#grant = grant;
    const result = verb();
    const isTaken = this.#grant === null;
    this.#grant = null;
    return { result, isTaken };
  }

  /** Tells what an agent is just doing, after all that was recorded before. */
  showProgress({ turnId, memberId }: QueuedTurn, event: TurnProgress['event']): void {
    const at = this.#parts.clock();
    this.show({ type: 'turn-progress', v: EVENT_VERSION, at, turnId, memberId, event });
  }

  /** Tells an event that is not recorded, after all that was recorded before. */
  show(event: ConversationEvent): void {
    this.#outbox.tell([event], () => this.#broadcast.send(event));
  }

  /** Resolves when everything recorded is durable and told; undefined: now. */
  kept(): Promise<void> | undefined {
    return this.#outbox.reached();
  }

  subscribe(listener: (event: ConversationEvent) => void): () => void {
    return this.#broadcast.subscribe(listener);
  }

  snapshot(): ConversationSnapshot {
    const { state, teamTask } = this.#told;
    const messages = this.#parts.context.getMessages();
    return {
      state,
      phase: phaseOf(state),
      messages: messages.slice(0, messages.length - this.#untoldMessages),
      teamTask,
    };
  }

  /** Saves how the conversation stands, once all of it is durable. */
  async saveCheckpoint(): Promise<void> {
    await this.kept();
    await this.#checkpoints.save(this.#parts.log.lastSeq, this.#status);
  }
}

/** Least distance of checkpoints: few enough events to be read at once, enough to make saving cheap. */
const EVENTS_APART = 256;
/** Answers that a checkpoint may hold for each event since the one before, so that saving costs the same at any length. */
const ANSWERS_PER_EVENT = 4;

/** Saves now and then how a conversation stands, so that opening it again need not read its whole log. */
export class Checkpoints {
  readonly #log: ConversationLog;
  readonly #logger: Logger;
  #savedSeq: number;

  /** `savedSeq`: of the checkpoint there is; 0 without one. */
  constructor(log: ConversationLog, logger: Logger, savedSeq: number) {
    this.#log = log;
    this.#logger = logger;
    this.#savedSeq = savedSeq;
  }

  /** After events up to `seq` became durable, from which `status` follows. */
  async consider(seq: number, status: ConversationStatus): Promise<void> {
    const { different } = status.state.counters.answers;
    const distance = Math.max(EVENTS_APART, different / ANSWERS_PER_EVENT);
    if (seq - this.#savedSeq >= distance) await this.save(seq, status);
  }

  /** Never rejects. A checkpoint is a cache: that it was not saved costs time at the next start, and nothing else. */
  async save(seq: number, status: ConversationStatus): Promise<void> {
    if (seq === this.#savedSeq) return;
    this.#savedSeq = seq;
    try {
      await this.#log.saveCheckpoint({ seq, value: encodeStatus(status) });
    } catch (error) {
      this.#logger.warn?.(`The checkpoint at event ${seq} could not be saved: ${String(error)}`);
    }
  }
}

/** `[Debug][Route]`: a message and what follows from it. */
export function describeRoute(facts: readonly ConversationFact[]): string {
  return `[Debug][Route] ${facts.map(describeFact).join('; ')}`;
}

function describeFact(fact: ConversationFact): string {
  switch (fact.type) {
    case 'message-added':
      return `${fact.message.id} from ${fact.message.speaker.roleName}`;
    case 'turns-queued':
      return `queued ${fact.turns.map(({ memberId }) => memberId).join(', ')} at the ${fact.place}`;
    case 'waiting-for-human':
      return `waits for ${fact.memberIds.join(', ')}`;
    case 'notice':
      return fact.code;
    default:
      return fact.type;
  }
}
