import { randomUUID } from 'node:crypto';
import { untilReached } from '../store/postgres/databaseFailures.js';
import { StoreOutOfReachError } from '../store/storeErrors.js';
import { type Deferred, defer } from '../utils/defer.js';
import type { ConversationRoom, SettledWish } from './ConversationRoom.js';
import { decodeRefusal, encodeWish, type Wish } from './wishes.js';

/** So long after it was asked first a wish is asked again that the store did not answer: a person waits. */
const PATIENCE_MILLISECONDS = 4000;

/** A wish that the store has, or may have. */
interface AskedWish {
  /** Its kind and body, by which the same one is known again. */
  readonly text: string;
  readonly key: string;
}

interface OpenAsked extends AskedWish {
  readonly settled: Deferred<number | null>;
}

/** Asks wishes of the holder, whoever that is, and tells what became of them. */
export class WishDesk {
  readonly #room: ConversationRoom;
  readonly #open = new Map<number, OpenAsked>();
  /** The wish before: those of one person keep their order. */
  #asking: Promise<unknown> = Promise.resolve();
  /** Wishes that were given up although the store may have them. Whoever asks for the same means them. */
  #unsure: readonly AskedWish[] = [];

  constructor(room: ConversationRoom) {
    this.#room = room;
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Comes in as a follower: what was asked before counts no more. */
  async comeIn(): Promise<void> {
    await this.#room.attend();
    this.#unsure = [];
  }

  /** Resolves with the first event that follows from it, or null; rejects with the reason why it is refused. */
  async ask(wish: Wish): Promise<number | null> {
    const written = encodeWish(wish);
    const text = `${written.kind} ${written.body}`;
    const asking = this.#asking.then(async () => {
      const known = this.#unsure.find((one) => one.text === text);
      if (known === undefined && this.#unsure.length > 0) await this.comeIn();
      const asked = known ?? { text, key: randomUUID() };
      const number = await this.#insist(asked, () => this.#room.ask(asked.key, written));
      this.#unsure = this.#unsure.filter((one) => one !== asked);
      const settled = defer<number | null>();
      this.#open.set(number, { ...asked, settled });
      return settled;
    });
    this.#asking = asking.catch(() => undefined);
    return (await asking).promise;
  }

  /** Looks what became of the wishes. `untilTold` resolves when everything up to an event is told. */
  async look(untilTold: (seq: number) => Promise<void>): Promise<void> {
    if (this.#unsure.length > 0) await this.#learn();
    if (this.#open.size === 0) return;
    for (const settled of await this.#room.readSettled([...this.#open.keys()])) {
      const asked = this.#open.get(settled.number);
      this.#open.delete(settled.number);
      if (asked !== undefined) void this.#conclude(asked.settled, settled, untilTold);
    }
  }

  /** Takes back what was given up: whoever holds the conversation from now on would do it. */
  async clear(): Promise<void> {
    if (this.#unsure.length > 0 && !this.hasOpen) await this.comeIn();
  }

  /** Gives up what was asked, so that no later holder does it either. */
  async takeBack(error: unknown): Promise<void> {
    this.#doubt(error);
    await this.comeIn();
  }

  /** Gives up what was asked and is not done yet. */
  giveUp(error: unknown): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { settled } of open) settled.reject(error);
  }

  /** Gives up what was asked; the store has it. */
  #doubt(error: unknown): void {
    this.#unsure = [...this.#unsure, ...this.#open.values()];
    this.giveUp(error);
  }

  /** Forgets the doubtful wishes that were done after all: whoever asks for the same again means something new. */
  async #learn(): Promise<void> {
    const settled = await this.#room.readSettledKeys(this.#unsure.map(({ key }) => key));
    this.#unsure = this.#unsure.filter(({ key }) => !settled.includes(key));
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

  /** Asks until there is an answer. Without one nobody knows what becomes of the wish, and of all that wait. */
  async #insist(asked: AskedWish, ask: () => Promise<number>): Promise<number> {
    try {
      return await untilReached(ask, { patience: PATIENCE_MILLISECONDS });
    } catch (error) {
      if (error instanceof StoreOutOfReachError) {
        this.#doubt(error);
        if (!this.#unsure.includes(asked)) this.#unsure = [...this.#unsure, asked];
      }
      throw error;
    }
  }
}
