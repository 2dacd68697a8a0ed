import type { Phase } from '../conversation/questions.js';
import type { ConversationSnapshot, SendOptions } from '../coordinator/Conversation.js';
import type { DecidingConversation } from '../coordinator/Grant.js';
import type { ConversationEvent, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import type { PresenceNews, SharedStore } from '../store/postgres/SharedStore.js';
import { ConversationLockedError } from '../store/storeErrors.js';
import { toArray } from '../utils/AnyIterable.js';
import type { Logger } from '../utils/logger.js';
import { oneAtATime } from '../utils/oneAtATime.js';
import { CommandHandler } from './CommandHandler.js';
import { CommandQueue } from './CommandQueue.js';
import type { HolderCommand } from './commands.js';
import { Follower } from './Follower.js';
import { ASK_FOR_WHOLE, LiveTextSender } from './LiveText.js';
import { OrderedEvents } from './OrderedEvents.js';
import { PresenceBoard } from './PresenceBoard.js';
import { SharedConversation } from './SharedConversation.js';

export interface ParticipantParts {
  readonly store: SharedStore;
  readonly id: ConversationId;
  readonly team: Team;
  /** Opens the conversation for writing, with the team of this machine. Rejects with ConversationLockedError. */
  readonly hold: (options: { readonly takeOver: boolean }) => Promise<DecidingConversation>;
  /** Called when others may take over, so that nothing may run here any more. Default: turns are stopped, and people decide. */
  readonly onExpired?: (() => void) | undefined;
  /** Commands of others that are done while this process holds it. Default: all of them. */
  readonly only?: readonly HolderCommand['kind'][] | undefined;
  readonly logger?: Logger | undefined;
}

/** The part of this process in the conversation: it does what others ask for, or asks itself. */
export type Part = Holding | Following;

interface Holding {
  readonly kind: 'holder';
  readonly conversation: DecidingConversation;
  readonly commands: CommandHandler;
  readonly live: LiveTextSender;
  readonly leave: () => void;
}

interface Following {
  readonly kind: 'follower';
  readonly conversation: Follower;
  readonly leave: () => void;
}

/** A process in a shared conversation: it holds it, or follows; which of the two changes with time. */
export class Participant {
  readonly presence: PresenceBoard;
  readonly #parts: ParticipantParts;
  readonly #shared: SharedConversation;
  readonly #queue: CommandQueue;
  readonly #events: OrderedEvents;
  #part!: Part;
  /** Changes of the part, one after the other. */
  #changing: Promise<unknown> = Promise.resolve();
  /** Reads how the conversation stands in the store, and does what follows from that. */
  readonly #look = oneAtATime(
    () => this.#lookOnce(),
    (error) => this.#note(error),
  );
  /** Messages of this process that are not durable yet. */
  readonly #unsaved = new Set<string>();
  #hasStopped = false;
  /** Null: nothing is subscribed to yet. */
  #unsubscribe: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  private constructor(parts: ParticipantParts, shared: SharedConversation) {
    const { team, store, logger } = parts;
    this.#parts = parts;
    this.#shared = shared;
    this.#queue = new CommandQueue(shared);
    this.#events = new OrderedEvents(logger);
    this.presence = new PresenceBoard(team, store.database.role, logger);
  }

  /**
   * Joins as a follower, which tells nothing before somebody listens, so that what runs is seen from its start.
   *
   * @param held Joins as the holder of this conversation, which this process has open already.
   */
  static async join(parts: ParticipantParts, held?: DecidingConversation): Promise<Participant> {
    const shared = await SharedConversation.find(parts.store, parts.id);
    const state = await shared.readState();
    const participant = new Participant(parts, shared);
    participant.presence.note(state, held === undefined);
    if (held === undefined) {
      const followed = await participant.#openFollowed();
      participant.#events.beginAfter(followed.lastSeq);
      participant.#follow(followed);
    } else {
      participant.#events.beginAfter(state.lastSeq);
      participant.#hold(held);
      participant.#subscribe();
    }
    return participant;
  }

  get id(): ConversationId {
    return this.#parts.id;
  }

  get team(): Team {
    return this.#parts.team;
  }

  subscribe(listener: (event: ConversationEvent) => void): () => void {
    if (this.#unsubscribe === null) setImmediate(() => this.#subscribe());
    return this.#events.subscribe(listener);
  }

  snapshot(): ConversationSnapshot {
    return this.#part.conversation.snapshot();
  }

  /** The part to read from, once no change is under way. */
  async settledPart(): Promise<Part> {
    await this.#changing;
    return this.#part;
  }

  /** The part in which something is changed. */
  partToAct(): Promise<Part> {
    this.#subscribe();
    return this.settledPart();
  }

  /** The part in which agents are set going: if no one holds the conversation, this process does from now on. */
  async partToStart(): Promise<Part> {
    const { kind } = await this.settledPart();
    if (kind === 'follower' && !this.presence.isHeldElsewhere) {
      await this.#look();
      if (!this.presence.isHeldElsewhere) await this.#takeOver();
    }
    return this.partToAct();
  }

  /** Says something in the conversation that this process holds. */
  async say(
    conversation: DecidingConversation,
    content: string,
    options: SendOptions,
  ): Promise<ConversationMessage> {
    this.#unsaved.add(content);
    try {
      const grant = { by: this.presence.role };
      return await conversation.actFor(grant, () => conversation.send(content, options)).result;
    } finally {
      this.#unsaved.delete(content);
    }
  }

  /** Asks the holder; resolves with the first events that follow. Rejects with the reason why it is refused. */
  async ask(command: HolderCommand): Promise<readonly RecordedEvent[]> {
    const { id } = this;
    if (!this.presence.isHeldElsewhere)
      throw new HuddleError('HOLDER_GONE', { holder: this.presence.holderName, id });
    const seq = await this.#queue.ask(command);
    return seq === null ? [] : this.#read(seq, seq + 2);
  }

  async settled(): Promise<Phase> {
    this.#subscribe();
    for (;;) {
      const part = await this.settledPart();
      try {
        const phase = await part.conversation.settled();
        if (this.#part === part) return phase;
      } catch (error) {
        if (this.#closing === null && isLeaseLost(error)) await this.#look();
        if (this.#part === part) throw error;
      }
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#unsubscribe?.();
    await this.#changing;
    this.#part.leave();
    this.#queue.giveUp(new HuddleError('CONVERSATION_CLOSED', {}));
    await this.#part.conversation.close();
    // Others see at once that this process is not here any more; if they cannot be told, they see it when it expires.
    if (this.#part.kind === 'holder') this.#shared.notify('company');
    else await this.#shared.leave().catch((error) => this.#note(error));
  }

  #subscribe(): void {
    if (this.#unsubscribe !== null || this.#closing !== null) return;
    const ends = [
      this.#shared.subscribe((payload) => this.#onPayload(payload)),
      this.#parts.store.presence.subscribe((news) => this.#onStore(news)),
    ];
    this.#unsubscribe = () => {
      for (const end of ends) end();
    };
  }

  #onPayload(payload: string | undefined): void {
    const part = this.#part;
    if (payload === undefined || payload === 'company') void this.#look();
    else if (/^\d+$/u.test(payload)) void this.#onEvents(part, Number(payload));
    else if (part.kind === 'follower') {
      if (!part.conversation.showLive(payload)) void this.#settleCommands();
    } else if (payload === ASK_FOR_WHOLE) part.live.sendWhole();
    else if (payload === 'wish') part.commands.handle().catch((error) => this.#note(error));
  }

  async #onEvents(part: Part, seq: number): Promise<void> {
    const isTold = part.kind === 'follower' ? part.conversation.catchUp(seq).catch(() => undefined) : null;
    await Promise.all([isTold, this.#settleCommands()]);
  }

  async #settleCommands(): Promise<void> {
    try {
      await this.#queue.settle((seq) => this.#untilTold(seq));
    } catch (error) {
      this.#note(error);
    }
  }

  #untilTold(seq: number): Promise<void> {
    const part = this.#part;
    return part.kind === 'follower' ? part.conversation.catchUp(seq) : this.#events.untilTold(seq);
  }

  #onStore(news: PresenceNews): void {
    this.presence.noteStore(news);
    if (news.kind === 'expired') this.#stopTurns();
    if (news.kind !== 'back') return;
    this.#noteAnswer();
    void this.#look();
  }

  /** Tells once that the store answers again, before what it answers is told. */
  #noteAnswer(): void {
    if (this.#hasStopped) this.presence.report({ kind: 'back' });
    this.#hasStopped = false;
  }

  /** Others may take over now, so nothing may run here any more. */
  #stopTurns(): void {
    if (this.#part.kind === 'follower') return;
    if (this.#parts.onExpired !== undefined) {
      this.#parts.onExpired();
      return;
    }
    this.#hasStopped = true;
    const hadTurns = this.snapshot().state.running.length > 0;
    this.#part.conversation.cancel().catch((error) => this.#note(error));
    this.presence.report({ kind: 'stopped', hadTurns, unsaved: [...this.#unsaved] });
  }

  async #lookOnce(): Promise<void> {
    if (this.#closing !== null) return;
    const part = await this.settledPart();
    const state = await this.#shared.readState();
    this.#noteAnswer();
    // What the holder recorded before it left is told before that it left.
    const isCaughtUp = part.kind === 'follower' ? part.conversation.catchUp(state.lastSeq) : undefined;
    await isCaughtUp?.catch(() => undefined);
    // What was seen is older than the part: it counts no more.
    if ((await this.settledPart()) !== part) return void this.#look();
    this.presence.note(state, part.kind === 'follower');
    if (part.kind === 'holder') {
      if (part.conversation.failure !== null || !state.holder?.isHere) await this.#giveWay();
      else await part.commands.handle();
      return this.#settleCommands();
    }
    await isCaughtUp;
    await this.#settleCommands();
    // Whoever has spoken continues when the holder is gone.
    if (this.#queue.hasOpen && !this.presence.isHeldElsewhere) await this.#takeOver();
  }

  #change(work: () => Promise<void>): Promise<void> {
    const change = this.#changing.then(() => (this.#closing === null ? work() : undefined));
    this.#changing = change.catch(() => undefined);
    return change;
  }

  /** Becomes the holder, unless another process was faster. */
  #takeOver(): Promise<void> {
    return this.#change(async () => {
      const before = this.#part;
      if (before.kind === 'holder') return;
      let held: DecidingConversation;
      try {
        await this.#queue.clear();
        held = await this.#parts.hold({ takeOver: false });
      } catch (error) {
        if (error instanceof ConversationLockedError)
          return this.presence.note(await this.#shared.readState(), true);
        await this.#queue.takeBack(error).catch((reason) => this.#note(reason));
        throw error;
      }
      before.leave();
      this.#events.holdBack();
      this.#hold(held);
      await before.conversation.close();
      const state = await this.#shared.readState();
      this.presence.note(state, false);
      this.#shared.notify('company');
      await this.#fillIn(state.lastSeq);
      void this.#look();
    });
  }

  /** Follows from now on: another process holds the conversation, or nothing could be saved for too long. */
  #giveWay(): Promise<void> {
    return this.#change(async () => {
      if (this.#part.kind === 'follower') return;
      this.#part.leave();
      await this.#part.conversation.close();
      this.presence.note(await this.#shared.readState(), false);
      const followed = await this.#openFollowed();
      this.#events.holdBack();
      this.#follow(followed);
      await this.#fillIn(followed.lastSeq);
      this.presence.report({ kind: 'lost', holder: this.presence.holder });
    });
  }

  #hold(conversation: DecidingConversation): void {
    const { logger, only } = this.#parts;
    const shared = this.#shared;
    const commands = new CommandHandler({ shared, conversation, only, logger });
    const live = new LiveTextSender(
      (piece) => shared.notify(piece),
      () => this.presence.here.length > 0,
    );
    const unsubscribe = conversation.subscribe((event) => {
      this.#events.take(event);
      if (event.type === 'turn-progress') live.add(event);
      if (event.type === 'turn-end') live.end(event.turnId);
    });
    const leave = (): void => {
      unsubscribe();
      commands.close();
      live.close();
    };
    this.#part = { kind: 'holder', conversation, commands, live, leave };
  }

  async #openFollowed(): Promise<Follower> {
    const { id, team, store, logger } = this.#parts;
    await this.#queue.restart();
    return Follower.open({ id, team, store, shared: this.#shared, logger });
  }

  #follow(conversation: Follower): void {
    const leave = conversation.subscribe((event) => this.#events.take(event));
    this.#part = { kind: 'follower', conversation, leave };
    // What was told of running turns before was heard by no one.
    this.#shared.notify(ASK_FOR_WHOLE);
  }

  /** Tells what was recorded while this process changed its part. */
  async #fillIn(upTo: number): Promise<void> {
    const from = this.#events.lastSeq + 1;
    await this.#events.fillIn(from <= upTo ? await this.#read(from, upTo) : []);
  }

  async #read(from: number, to: number): Promise<readonly RecordedEvent[]> {
    const reader = await this.#parts.store.read(this.id);
    try {
      return await toArray(reader.read(from, to));
    } finally {
      await reader.close();
    }
  }

  #note(error: unknown): void {
    this.#parts.logger?.debug?.(`[Debug][Store] ${String(error)}`);
  }
}

function isLeaseLost(error: unknown): boolean {
  return error instanceof HuddleError && error.code === 'LEASE_LOST';
}
