import type { Phase } from '../conversation/questions.js';
import type { Conversation, ConversationSnapshot, SendOptions } from '../coordinator/Conversation.js';
import type { DecidingConversation } from '../coordinator/Mandate.js';
import type { ConversationEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import type { PresenceNews, SharedStore } from '../store/postgres/SharedStore.js';
import { ConversationLockedError } from '../store/storeErrors.js';
import type { Logger } from '../utils/logger.js';
import { oneAtATime } from '../utils/oneAtATime.js';
import { FollowedPlace, HeldPlace, type SeatPlace } from './CommandHandler.js';
import { ConversationRoom } from './ConversationRoom.js';
import { FollowerHandle } from './FollowerHandle.js';
import { ASK_FOR_WHOLE } from './LiveText.js';
import { OrderedEvents } from './OrderedEvents.js';
import { CompanyBoard } from './PresenceBoard.js';
import { WishDesk } from './WishDesk.js';
import type { Wish } from './wishes.js';

export interface SeatParts {
  readonly store: SharedStore;
  readonly id: ConversationId;
  readonly team: Team;
  /** Opens the conversation for writing, with the team of this machine. Rejects with ConversationLockedError. */
  readonly hold: (options: { readonly takeOver: boolean }) => Promise<DecidingConversation>;
  /** Called when others may take over, so that nothing may run here any more. Default: turns are stopped, and people decide. */
  readonly onExpired?: (() => void) | undefined;
  /** Wishes of others that are fulfilled while this process holds it. Default: all of them. */
  readonly only?: readonly Wish['kind'][] | undefined;
  readonly logger?: Logger | undefined;
}

/** The place of this process in a shared conversation: it holds it, or follows; which of the two changes with time. */
export class Seat {
  readonly company: CompanyBoard;
  readonly #parts: SeatParts;
  readonly #room: ConversationRoom;
  readonly #desk: WishDesk;
  readonly #events: OrderedEvents;
  #place!: SeatPlace;
  /** Changes of place, one after the other. */
  #changing: Promise<unknown> = Promise.resolve();
  /** Looks how the conversation stands in the store, and does what follows from that. */
  readonly #look = oneAtATime(
    () => this.#lookOnce(),
    (error) => this.#note(error),
  );
  /** Messages of this process that are not durable yet. */
  readonly #unsaved = new Set<string>();
  #hasStopped = false;
  /** Null: it is not watched yet. */
  #endWatches: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  private constructor(parts: SeatParts, room: ConversationRoom) {
    const { team, store, logger } = parts;
    this.#parts = parts;
    this.#room = room;
    this.#desk = new WishDesk(room);
    this.#events = new OrderedEvents(logger);
    this.company = new CompanyBoard(team, store.database.role, logger);
  }

  /** Sits down as the holder of a conversation that this process has open already. */
  static async hold(parts: SeatParts, conversation: DecidingConversation): Promise<Seat> {
    const room = await ConversationRoom.find(parts.store, parts.id);
    const state = await room.look();
    const seat = new Seat(parts, room);
    seat.#events.beginAfter(state.lastSeq);
    seat.company.note(state, false);
    seat.#sitAsHolder(conversation);
    seat.#watch();
    return seat;
  }

  /** Sits down as a follower. Nothing is told before somebody listens, so that what runs is seen from its start. */
  static async follow(parts: SeatParts): Promise<Seat> {
    const room = await ConversationRoom.find(parts.store, parts.id);
    const state = await room.look();
    const seat = new Seat(parts, room);
    seat.company.note(state, true);
    const conversation = await seat.#openFollowed();
    seat.#events.beginAfter(conversation.lastSeq);
    seat.#sitAsFollower(conversation);
    return seat;
  }

  get id(): ConversationId {
    return this.#parts.id;
  }

  get team(): Team {
    return this.#parts.team;
  }

  subscribe(listener: (event: ConversationEvent) => void): () => void {
    if (this.#endWatches === null) setImmediate(() => this.#watch());
    return this.#events.subscribe(listener);
  }

  snapshot(): ConversationSnapshot {
    return this.#place.conversation.snapshot();
  }

  /** The conversation to read from, once no change of place is under way. */
  async reading(): Promise<Conversation> {
    return (await this.#settledPlace()).conversation;
  }

  /** The conversation to change. */
  async conversation(): Promise<Conversation> {
    this.#watch();
    return (await this.#settledPlace()).conversation;
  }

  /** The same for what sets agents going: if no one holds the conversation, this process does from now on. */
  async mayHold(): Promise<Conversation> {
    const { kind } = await this.#settledPlace();
    if (kind === 'followed' && !this.company.isHeldElsewhere) {
      await this.#look();
      if (!this.company.isHeldElsewhere) await this.#takeOver();
    }
    return this.conversation();
  }

  /** Says something as a person of the team, be it through the holder. If there is none, this process is it from now on. */
  async speak(content: string, options: SendOptions): Promise<ConversationMessage> {
    await this.mayHold();
    const place = this.#place;
    if (place.kind === 'followed') return place.conversation.send(content, options);
    const { conversation } = place;
    this.#unsaved.add(content);
    try {
      const mandate = { by: this.company.role };
      return await conversation.actFor(mandate, () => conversation.send(content, options)).result;
    } finally {
      this.#unsaved.delete(content);
    }
  }

  async settled(): Promise<Phase> {
    this.#watch();
    for (;;) {
      const place = await this.#settledPlace();
      try {
        const phase = await place.conversation.settled();
        if (this.#place === place) return phase;
      } catch (error) {
        if (this.#closing === null && isLeaseLost(error)) await this.#look();
        if (this.#place === place) throw error;
      }
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#endWatches?.();
    await this.#changing;
    this.#place.leave();
    this.#desk.giveUp(new HuddleError('CONVERSATION_CLOSED', {}));
    await this.#place.conversation.close();
    if (this.#place.kind === 'held') this.#room.tell('company');
    // Others see at once that this process is not here any more; if they cannot be told, they see it when it expires.
    if (this.#place.kind === 'followed') await this.#room.stayAway().catch((error) => this.#note(error));
  }

  #watch(): void {
    if (this.#endWatches !== null || this.#closing !== null) return;
    const { presence } = this.#parts.store;
    const ends = [
      this.#room.watch((told) => this.#hear(told)),
      presence.watch((news) => this.#hearPresence(news)),
    ];
    this.#endWatches = () => {
      for (const end of ends) end();
    };
  }

  #hear(told: string | undefined): void {
    const place = this.#place;
    if (told === undefined || told === 'company') void this.#look();
    else if (told === ASK_FOR_WHOLE) {
      if (place.kind === 'held') place.sendWholeTexts();
    } else if (/^\d+$/u.test(told)) void this.#hearOfEvents(place, Number(told));
    else if (place.kind === 'followed') {
      if (!place.conversation.hear(told)) void this.#lookAfterWishes();
    } else if (told === 'wish') place.takeWishes().catch((error) => this.#note(error));
  }

  async #hearOfEvents(place: SeatPlace, seq: number): Promise<void> {
    const isTold =
      place.kind === 'followed' ? place.conversation.catchUp(seq).catch(() => undefined) : undefined;
    await Promise.all([isTold, this.#lookAfterWishes()]);
  }

  async #lookAfterWishes(): Promise<void> {
    try {
      await this.#desk.look((seq) => this.#untilTold(seq));
    } catch (error) {
      this.#note(error);
    }
  }

  #untilTold(seq: number): Promise<void> {
    const place = this.#place;
    return place.kind === 'followed' ? place.conversation.catchUp(seq) : this.#events.untilTold(seq);
  }

  #hearPresence(news: PresenceNews): void {
    this.company.hear(news);
    if (news.kind === 'expired') this.#stopTurns();
    if (news.kind !== 'back') return;
    this.#noteAnswer();
    void this.#look();
  }

  /** Tells once that the store answers again, before what it answers is told. */
  #noteAnswer(): void {
    if (this.#hasStopped) this.company.tell({ kind: 'back' });
    this.#hasStopped = false;
  }

  /** Others may take over now, so nothing may run here any more. */
  #stopTurns(): void {
    if (this.#place.kind !== 'held') return;
    if (this.#parts.onExpired !== undefined) {
      this.#parts.onExpired();
      return;
    }
    this.#hasStopped = true;
    const hadTurns = this.snapshot().state.running.length > 0;
    this.#place.conversation.cancel().catch((error) => this.#note(error));
    this.company.tell({ kind: 'stopped', hadTurns, unsaved: [...this.#unsaved] });
  }

  async #lookOnce(): Promise<void> {
    if (this.#closing !== null) return;
    const place = await this.#settledPlace();
    const state = await this.#room.look();
    this.#noteAnswer();
    // What the holder recorded before it left is told before that it left.
    const isCaughtUp = place.kind === 'followed' ? place.conversation.catchUp(state.lastSeq) : undefined;
    await isCaughtUp?.catch(() => undefined);
    // What was seen is older than the place: it counts no more.
    if ((await this.#settledPlace()) !== place) return void this.#look();
    this.company.note(state, place.kind === 'followed');
    if (place.kind === 'held') {
      if (place.conversation.failure !== null || !state.holder?.isHere) await this.#giveWay();
      else await place.takeWishes();
      return this.#lookAfterWishes();
    }
    await isCaughtUp;
    await this.#lookAfterWishes();
    // Whoever has spoken continues when the holder is gone.
    if (this.#desk.hasOpen && !this.company.isHeldElsewhere) await this.#takeOver();
  }

  async #settledPlace(): Promise<SeatPlace> {
    await this.#changing;
    return this.#place;
  }

  #change(work: () => Promise<void>): Promise<void> {
    const change = this.#changing.then(() => (this.#closing === null ? work() : undefined));
    this.#changing = change.catch(() => undefined);
    return change;
  }

  /** Becomes the holder, unless another process was faster. */
  #takeOver(): Promise<void> {
    return this.#change(async () => {
      const before = this.#place;
      if (before.kind === 'held') return;
      let conversation: DecidingConversation;
      try {
        await this.#desk.clear();
        conversation = await this.#parts.hold({ takeOver: false });
      } catch (error) {
        if (error instanceof ConversationLockedError)
          return void this.company.note(await this.#room.look(), true);
        await this.#desk.takeBack(error).catch((reason) => this.#note(reason));
        throw error;
      }
      this.#place.leave();
      this.#events.holdBack();
      this.#sitAsHolder(conversation);
      await before.conversation.close();
      const state = await this.#room.look();
      this.company.note(state, false);
      this.#room.tell('company');
      await this.#fillIn(state.lastSeq);
      void this.#look();
    });
  }

  /** Follows from now on: another process holds the conversation, or nothing could be saved for too long. */
  #giveWay(): Promise<void> {
    return this.#change(async () => {
      if (this.#place.kind === 'followed') return;
      this.#place.leave();
      await this.#place.conversation.close();
      this.company.note(await this.#room.look(), false);
      const conversation = await this.#openFollowed();
      this.#events.holdBack();
      this.#sitAsFollower(conversation);
      await this.#fillIn(conversation.lastSeq);
      this.company.tell({ kind: 'lost', holder: this.company.holder });
    });
  }

  #sitAsHolder(conversation: DecidingConversation): void {
    const { logger, only } = this.#parts;
    this.#place = new HeldPlace(conversation, {
      room: this.#room,
      take: (event) => this.#events.take(event),
      hasCompany: () => this.company.here.length > 0,
      only,
      logger,
    });
  }

  async #openFollowed(): Promise<FollowerHandle> {
    const { id, team, store, logger } = this.#parts;
    const holder = () => this.company.holderName;
    const ask = (wish: Wish) => this.#ask(wish);
    const askForWhole = () => this.#room.tell(ASK_FOR_WHOLE);
    await this.#desk.comeIn();
    return FollowerHandle.open({ id, team, store, ask, askForWhole, holder, logger });
  }

  #sitAsFollower(conversation: FollowerHandle): void {
    this.#place = new FollowedPlace(conversation, (event) => this.#events.take(event));
    // What was told of running turns before was heard by no one.
    this.#room.tell(ASK_FOR_WHOLE);
  }

  /** Tells what was recorded while this process changed its place. */
  async #fillIn(upTo: number): Promise<void> {
    const from = this.#events.lastSeq + 1;
    const reader = await this.#parts.store.read(this.id);
    await this.#events.fillIn(from <= upTo ? reader.read(from, upTo) : []);
    await reader.close();
  }

  #ask(wish: Wish): Promise<number | null> {
    const { id } = this;
    if (!this.company.isHeldElsewhere)
      throw new HuddleError('HOLDER_GONE', { holder: this.company.holderName, id });
    return this.#desk.ask(wish);
  }

  #note(error: unknown): void {
    this.#parts.logger?.debug?.(`[Debug][Store] ${String(error)}`);
  }
}

function isLeaseLost(error: unknown): boolean {
  return error instanceof HuddleError && error.code === 'LEASE_LOST';
}
