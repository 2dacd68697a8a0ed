import type { DecidingConversation } from '../coordinator/Mandate.js';
import type { ConversationEvent } from '../models/ConversationEvent.js';
import type { Logger } from '../utils/logger.js';
import type { ConversationRoom } from './ConversationRoom.js';
import type { FollowerHandle } from './FollowerHandle.js';
import { LiveTextSender } from './LiveText.js';
import { WishTaker } from './WishTaker.js';
import type { Wish } from './wishes.js';

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
