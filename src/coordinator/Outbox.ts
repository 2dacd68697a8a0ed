import type { ConversationLog } from '../store/Store.js';

/** Beyond so much that waits, nothing more is read from agents. */
const MOST_WAITING = 1000;
const MOST_CHARACTERS = 4 * 1024 ** 2;

interface HeldBack {
  readonly act: () => void;
  readonly refuse?: (error: unknown) => void;
  readonly characters: number;
  isKept: boolean;
}

/**
 * Holds back what others could notice, in order, until all facts appended before are durable. With a log that keeps them
 * at once nothing waits: everything happens in the same tick.
 */
export class Outbox {
  readonly #log: Pick<ConversationLog, 'kept'>;
  readonly #onFailure: (error: unknown) => void;
  #heldBack: HeldBack[] = [];
  #failure: { readonly error: unknown } | null = null;

  /** `onFailure` hears, once, that facts never became durable. What waited for them never happens. */
  constructor(log: Pick<ConversationLog, 'kept'>, onFailure: (error: unknown) => void) {
    this.#log = log;
    this.#onFailure = onFailure;
  }

  /** Whether so much waits that no more should come. */
  get isFull(): boolean {
    if (this.#heldBack.length >= MOST_WAITING) return true;
    return this.#heldBack.reduce((sum, { characters }) => sum + characters, 0) >= MOST_CHARACTERS;
  }

  /** Tells events to others, by `act`. */
  tell(events: readonly unknown[], act: () => void): void {
    const kept = this.#kept();
    if (kept === undefined) act();
    else this.#holdBack(kept, { act, characters: JSON.stringify(events).length, isKept: false });
  }

  /** Resolves when all facts are durable and everything before is told; rejects when they never are. Undefined: now. */
  reached(): Promise<void> | undefined {
    const kept = this.#kept();
    if (kept === undefined) return undefined;
    return new Promise((act, refuse) => {
      this.#holdBack(kept, { act, refuse, characters: 0, isKept: false });
    });
  }

  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  #kept(): Promise<void> | undefined {
    if (this.#failure !== null) return Promise.reject(this.#failure.error);
    const kept = this.#log.kept();
    if (kept === undefined) for (const held of this.#heldBack) held.isKept = true;
    this.#release();
    return kept;
  }

  #holdBack(kept: Promise<void>, held: HeldBack): void {
    this.#heldBack.push(held);
    kept.then(
      () => {
        held.isKept = true;
        this.#release();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #release(): void {
    while (this.#heldBack[0]?.isKept) this.#heldBack.shift()?.act();
  }

  #fail(error: unknown): void {
    const isFirst = this.#failure === null;
    this.#failure ??= { error };
    if (isFirst) this.#onFailure(error);
    const refused = this.#heldBack;
    this.#heldBack = [];
    for (const { refuse } of refused) refuse?.(this.#failure.error);
  }
}
