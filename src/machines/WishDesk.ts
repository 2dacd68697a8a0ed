import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreOutOfReachError } from '../store/postgres/sharedErrors.js';
import { type Deferred, defer } from '../utils/defer.js';
import type { ConversationRoom, SettledWish } from './ConversationRoom.js';
import { decodeRefusal, encodeWish, type Wish } from './wishes.js';

/** So long a wish is asked again that the store did not answer. */
const PATIENCE_MILLISECONDS = 8000;
const MILLISECONDS_BETWEEN_ATTEMPTS = 250;

/** Asks wishes of the holder, whoever that is, and tells what became of them. */
export class WishDesk {
  readonly #room: ConversationRoom;
  readonly #open = new Map<number, Deferred<number | null>>();
  /** The wish before: those of one person keep their order. */
  #asking: Promise<unknown> = Promise.resolve();
  /** The store may have a wish that counts as not asked. */
  #isUnsure = false;

  constructor(room: ConversationRoom) {
    this.#room = room;
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Resolves with the first event that follows from it, or null; rejects with the reason why it is refused. */
  async ask(wish: Wish): Promise<number | null> {
    const written = encodeWish(wish);
    const asking = this.#asking.then(async () => {
      if (this.#isUnsure) await this.#room.attend();
      this.#isUnsure = false;
      const number = await this.#insist(() => this.#room.ask(key, written));
      const settled = defer<number | null>();
      this.#open.set(number, settled);
      return settled;
    });
    const key = randomUUID();
    this.#asking = asking.catch(() => undefined);
    return (await asking).promise;
  }

  /** Looks what became of the wishes. `untilTold` resolves when everything up to an event is told. */
  async look(untilTold: (seq: number) => Promise<void>): Promise<void> {
    if (this.#open.size === 0) return;
    for (const settled of await this.#room.readSettled([...this.#open.keys()])) {
      const asked = this.#open.get(settled.number);
      this.#open.delete(settled.number);
      if (asked !== undefined) void this.#conclude(asked, settled, untilTold);
    }
  }

  /** Gives up what was asked, so that no later holder does it either. */
  takeBack(error: unknown): void {
    this.#isUnsure = true;
    this.giveUp(error);
  }

  /** Gives up what was asked and is not done yet. */
  giveUp(error: unknown): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of open) reject(error);
  }

  async #conclude(
    asked: Deferred<number | null>,
    { seq, refusal, lastSeq }: SettledWish,
    untilTold: (seq: number) => Promise<void>,
  ): Promise<void> {
    if (refusal !== null) return asked.reject(decodeRefusal(refusal));
    try {
      if (seq !== null) await untilTold(lastSeq);
      asked.resolve(seq);
    } catch (error) {
      asked.reject(error);
    }
  }

  /** Asks until there is an answer. Without one the wish, and all that wait, are taken back before the next. */
  async #insist(ask: () => Promise<number>): Promise<number> {
    const until = performance.now() + PATIENCE_MILLISECONDS;
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof StoreOutOfReachError)) throw error;
        if (performance.now() < until) await wait(MILLISECONDS_BETWEEN_ATTEMPTS);
        else {
          this.takeBack(error);
          throw error;
        }
      }
    }
  }
}
