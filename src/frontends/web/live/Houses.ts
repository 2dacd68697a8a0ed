import { words } from '../../../catalogue/words.js';
import type { House } from '../../../coordinator/Conversations.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId } from '../../../models/ids.js';
import { toArray } from '../../../utils/AnyIterable.js';

/** Conversations that are listed together. */
export interface ListedHouse {
  readonly house: House;
  readonly isDemo?: true;
}

/** The user's conversations, and those with simulated agents once there are any. */
export class Houses {
  readonly #own: House;
  readonly #openDemo: (() => Promise<House>) | undefined;
  readonly #demoIds = new Set<string>();
  #opening: Promise<House> | undefined;
  #demo: House | undefined;

  constructor(own: House, openDemo: (() => Promise<House>) | undefined) {
    this.#own = own;
    this.#openDemo = openDemo;
  }

  get hasDemo(): boolean {
    return this.#openDemo !== undefined;
  }

  all(): readonly ListedHouse[] {
    return [{ house: this.#own }, ...(this.#demo ? [{ house: this.#demo, isDemo: true } as const] : [])];
  }

  /** The house of a conversation; the user's own for all that are not known. */
  of(id: string): House {
    return (this.#demoIds.has(id) && this.#demo) || this.#own;
  }

  async createDemo(folder: string): Promise<ConversationId> {
    if (this.#openDemo === undefined) throw new HuddleError('NO_DEMO', () => words.webLive.noDemo);
    this.#opening ??= this.#openDemo();
    this.#demo = await this.#opening;
    const id = await this.#demo.create(folder);
    this.#demoIds.add(id);
    return id;
  }

  async delete(id: ConversationId): Promise<void> {
    await this.of(id).delete(id);
    this.#demoIds.delete(id);
  }

  /** The whole log of a demonstration, which is in the memory of this process alone; undefined for all others. */
  async demoEvents(id: string): Promise<readonly RecordedEvent[] | undefined> {
    if (!this.#demoIds.has(id)) return undefined;
    const { reader } = await this.of(id).read(id);
    return toArray(reader.read()).finally(() => reader.close());
  }

  /** Ends the demonstrations; the user's conversations are closed by whoever opened them. */
  async close(): Promise<void> {
    await this.#opening?.then((demo) => demo.close());
  }
}
