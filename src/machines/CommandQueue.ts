import { randomUUID } from 'node:crypto';
import { untilReached } from '../store/postgres/databaseFailures.js';
import { StoreOutOfReachError } from '../store/storeErrors.js';
import { type Deferred, defer } from '../utils/defer.js';
import { decodeRefusal, encodeCommand, type HolderCommand } from './commands.js';
import type { SettledCommand, SharedConversation } from './SharedConversation.js';

/** So long after it was asked first a command is asked again that the store did not answer: a person waits. */
const PATIENCE_MILLISECONDS = 4000;

/** A command that the store has, or may have. */
interface AskedCommand {
  /** Its kind and body, by which the same one is known again. */
  readonly text: string;
  readonly key: string;
}

interface OpenAsked extends AskedCommand {
  readonly settled: Deferred<number | null>;
}

/** Asks the holder, whoever that is, and tells what became of it. */
export class CommandQueue {
  readonly #shared: SharedConversation;
  readonly #open = new Map<number, OpenAsked>();
  /** The command before: those of one person keep their order. */
  #asking: Promise<unknown> = Promise.resolve();
  /** Wishes that were given up although the store may have them. Whoever asks for the same means them. */
  #unsure: readonly AskedCommand[] = [];

  constructor(shared: SharedConversation) {
    this.#shared = shared;
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Joins as a follower: what was asked before counts no more. */
  async restart(): Promise<void> {
    await this.#shared.join();
    this.#unsure = [];
  }

  /** Resolves with the first event that follows from it, or null; rejects with the reason why it is refused. */
  async ask(command: HolderCommand): Promise<number | null> {
    const written = encodeCommand(command);
    const text = `${written.kind} ${written.body}`;
    const asking = this.#asking.then(async () => {
      const known = this.#unsure.find((one) => one.text === text);
      if (known === undefined && this.#unsure.length > 0) await this.restart();
      const asked = known ?? { text, key: randomUUID() };
      const number = await this.#insist(asked, () => this.#shared.ask(asked.key, written));
      this.#unsure = this.#unsure.filter((one) => one !== asked);
      const settled = defer<number | null>();
      this.#open.set(number, { ...asked, settled });
      return settled;
    });
    this.#asking = asking.catch(() => undefined);
    return (await asking).promise;
  }

  /** Settles those of which the store says what became of them. `untilTold` resolves when everything up to an event is told. */
  async settle(untilTold: (seq: number) => Promise<void>): Promise<void> {
    if (this.#unsure.length > 0) await this.#learn();
    if (this.#open.size === 0) return;
    for (const settled of await this.#shared.readSettled([...this.#open.keys()])) {
      const asked = this.#open.get(settled.number);
      this.#open.delete(settled.number);
      if (asked !== undefined) void this.#conclude(asked.settled, settled, untilTold);
    }
  }

  /** Takes back what was given up: whoever holds the conversation from now on would do it. */
  async clear(): Promise<void> {
    if (this.#unsure.length > 0 && !this.hasOpen) await this.restart();
  }

  /** Gives up what was asked, so that no later holder does it either. */
  async takeBack(error: unknown): Promise<void> {
    this.#doubt(error);
    await this.restart();
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

  /** Forgets the doubtful commands that were done after all: whoever asks for the same again means something new. */
  async #learn(): Promise<void> {
    const settled = await this.#shared.readSettledKeys(this.#unsure.map(({ key }) => key));
    this.#unsure = this.#unsure.filter(({ key }) => !settled.includes(key));
  }

  async #conclude(
    asked: Deferred<number | null>,
    { seq, refusal, lastSeq }: SettledCommand,
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

  /** Asks until there is an answer. Without one nobody knows what becomes of the command, and of all that wait. */
  async #insist(asked: AskedCommand, ask: () => Promise<number>): Promise<number> {
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
