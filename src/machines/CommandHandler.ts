import type { DecidingConversation } from '../coordinator/Mandate.js';
import type { ConversationEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { HumanMember } from '../models/Team.js';
import { isBlank } from '../utils/isBlank.js';
import type { Logger } from '../utils/logger.js';
import type { ConversationRoom, OpenWish } from './ConversationRoom.js';
import type { FollowerHandle } from './FollowerHandle.js';
import { LiveTextSender } from './LiveText.js';
import { personOf } from './PresenceBoard.js';
import { decodeWish, encodeRefusal, type Wish } from './wishes.js';

export interface WishTakerParts {
  readonly room: Pick<ConversationRoom, 'readOpen' | 'settle'>;
  readonly conversation: DecidingConversation;
  /** Kinds of wishes that are fulfilled. Default: all of them. */
  readonly only?: readonly Wish['kind'][] | undefined;
  readonly logger?: Logger | undefined;
}

const NOT_TAKEN = new HuddleError('WISH_NOT_TAKEN', {});

/** Fulfils the wishes of others in a conversation that this process holds: each once, in their order. */
export class WishTaker {
  readonly #parts: WishTakerParts;
  /** Wishes that are on their way to be settled, so that they are not fulfilled twice. */
  readonly #taken = new Set<number>();
  #isClosed = false;

  constructor(parts: WishTakerParts) {
    this.#parts = parts;
  }

  /** Takes what waits. */
  async look(): Promise<void> {
    const open = await this.#parts.room.readOpen();
    const numbers = new Set(open.map(({ number }) => number));
    for (const number of this.#taken) if (!numbers.has(number)) this.#taken.delete(number);
    for (const wish of open) {
      if (this.#isClosed) return;
      if (this.#taken.has(wish.number)) continue;
      this.#taken.add(wish.number);
      this.#take(wish);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Takes one wish. What it records is recorded when this returns, so that the next one comes after it. */
  #take(open: OpenWish): void {
    const { conversation } = this.#parts;
    const person = personOf(conversation.team, open.role);
    const wish = decodeWish(open);
    if (person === undefined) this.#refuse(open, 'stranger');
    else if (wish === null) this.#refuse(open, 'unreadable');
    else if (wish.kind === 'say' && isBlank(wish.content)) this.#refuse(open, 'empty');
    // What was asked of a holder who is gone was about what that one did; a message stays a message.
    else if (open.isOld && wish.kind !== 'say') void this.#settle(open, encodeRefusal(NOT_TAKEN));
    else if (this.#parts.only?.includes(wish.kind) === false)
      void this.#settle(open, encodeRefusal(new HuddleError('FLEET_BUSY', {})));
    else this.#act(open, () => perform(conversation, wish, person));
  }

  #refuse(open: OpenWish, because: 'stranger' | 'empty' | 'unreadable'): void {
    const { role, kind: wish } = open;
    const { conversation } = this.#parts;
    this.#act(open, async () =>
      conversation.record([{ type: 'notice', code: 'wish-refused', role, wish, because }]),
    );
  }

  #act({ number, role }: OpenWish, verb: () => Promise<unknown>): void {
    const mandate = { by: role, taking: { wish: number } };
    const { result, isTaken } = this.#parts.conversation.actFor(mandate, verb);
    // Taken, it is settled with its events; when they are never kept, neither is that.
    if (isTaken) result.catch((error) => this.#parts.logger?.debug?.(`A wish was lost: ${String(error)}`));
    else
      void result.then(
        () => this.#settle({ number }, null),
        (error) => this.#settle({ number }, encodeRefusal(error)),
      );
  }

  async #settle({ number }: Pick<OpenWish, 'number'>, refusal: string | null): Promise<void> {
    try {
      await this.#parts.room.settle(number, refusal);
    } catch (error) {
      // It waits for the next look, or for the next holder.
      this.#taken.delete(number);
      this.#parts.logger?.debug?.(`Wish ${number} was not settled: ${String(error)}`);
    }
  }
}

async function perform(
  conversation: DecidingConversation,
  wish: Wish,
  { name: as }: HumanMember,
): Promise<unknown> {
  switch (wish.kind) {
    case 'say':
      return conversation.send(wish.content, { as, via: wish.via });
    case 'cancel':
      return conversation.cancel({ drop: wish.drop });
    case 'skip-look':
      return conversation.skipLook();
    case 'pause':
      return conversation.pause();
    case 'resume':
      return conversation.resume();
    case 'retry':
      return conversation.retry();
    case 'rename':
      return conversation.rename(wish.title);
    case 'decide':
      return conversation.answerPermission(wish.requestId, wish.verdict, { as });
  }
}

/** The place of a process in a shared conversation: it holds it, or follows. */
export type SeatPlace = HeldPlace | FollowedPlace;

export interface HeldPlaceParts {
  readonly room: ConversationRoom;
  /** Called for every event. */
  readonly take: (event: ConversationEvent) => void;
  /** Whether anybody else is here. */
  readonly hasCompany: () => boolean;
  /** Wishes of others that are fulfilled. Default: all of them. */
  readonly only?: readonly Wish['kind'][] | undefined;
  readonly logger?: Logger | undefined;
}

/** The place of the holder: fulfils the wishes of others, and shows them what agents are saying. */
export class HeldPlace {
  readonly kind = 'held';
  readonly conversation: DecidingConversation;
  readonly #taker: WishTaker;
  readonly #live: LiveTextSender;
  readonly #unsubscribe: () => void;

  constructor(conversation: DecidingConversation, { room, take, hasCompany, only, logger }: HeldPlaceParts) {
    this.conversation = conversation;
    this.#taker = new WishTaker({ room, conversation, only, logger });
    this.#live = new LiveTextSender((piece) => room.tell(piece), hasCompany);
    this.#unsubscribe = conversation.subscribe((event) => {
      take(event);
      if (event.type === 'turn-progress') this.#live.add(event);
      if (event.type === 'turn-end') this.#live.end(event.turnId);
    });
  }

  /** Fulfils the wishes that wait. */
  takeWishes(): Promise<void> {
    return this.#taker.look();
  }

  /** Tells those who missed some of it what agents are saying, from its start. */
  sendWholeTexts(): void {
    this.#live.sendWhole();
  }

  leave(): void {
    this.#unsubscribe();
    this.#taker.close();
    this.#live.close();
  }
}

/** The place of a follower. */
export class FollowedPlace {
  readonly kind = 'followed';
  readonly conversation: FollowerHandle;
  readonly leave: () => void;

  constructor(conversation: FollowerHandle, take: (event: ConversationEvent) => void) {
    this.conversation = conversation;
    this.leave = conversation.subscribe(take);
  }
}
