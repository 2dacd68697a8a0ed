import type { Conversation } from '../../coordinator/Conversation.js';
import type { ConversationEvent } from '../../models/ConversationEvent.js';
import type { ConversationId } from '../../models/ids.js';
import type { Block } from '../../presentation/Block.js';
import { TurnTotals, type UsageTotals } from '../../presentation/cost.js';
import { NEW_TELLING, type Telling } from '../../presentation/Telling.js';
import { tell } from '../../presentation/tell.js';
import type { McpCall } from './McpOptions.js';

/** Rules of one ask. */
export interface AskRules {
  /** Runs one turn: whom that hands off to is told, not asked. */
  readonly isSingle: boolean;
  /** Names of members that cannot be held to reading, and were not asked. */
  readonly leftOut: readonly string[];
}

/** A question to the team: from the message on until nothing is left to run. It continues between the calls that wait for it. */
export class Ask {
  readonly rules: AskRules;
  readonly #conversation: Conversation;
  readonly #totals = new TurnTotals();
  readonly #listeners = new Set<(event: ConversationEvent) => void>();
  readonly #blocks: Block[] = [];
  #telling: Telling = NEW_TELLING;
  #turnsStarted = 0;
  #isOver = false;
  #isAtServerLimit = false;

  private constructor(conversation: Conversation, rules: AskRules) {
    this.#conversation = conversation;
    this.rules = rules;
  }

  /** Sends the message in the name of the client. Until `end` resolves the conversation is ours. */
  static async begin(
    conversation: Conversation,
    content: string,
    rules: AskRules,
    { client, signal }: Pick<McpCall, 'client' | 'signal'>,
  ): Promise<Ask> {
    const ask = new Ask(conversation, rules);
    try {
      for await (const event of conversation.history()) ask.#telling = tell(ask.#telling, event).telling;
      conversation.subscribe((event) => ask.#take(event));
      signal.throwIfAborted();
      await conversation.send(content, { via: { kind: 'mcp', name: client } });
      return ask;
    } catch (error) {
      await conversation.close();
      throw error;
    }
  }

  get id(): ConversationId {
    return this.#conversation.id;
  }

  /** Nothing of it runs any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get telling(): Telling {
    return this.#telling;
  }

  /** Everything that was told since the message. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  get totals(): UsageTotals {
    return this.#totals.sum;
  }

  get turnsStarted(): number {
    return this.#turnsStarted;
  }

  get isAtServerLimit(): boolean {
    return this.#isAtServerLimit;
  }

  /** Calls the listener with each event from now on. Returns the function that ends this. */
  subscribe(listener: (event: ConversationEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits until nothing is left to run, and lets go of the conversation. Rejects when it could not be saved. */
  async end(): Promise<void> {
    try {
      await this.#conversation.settled();
      if (this.rules.isSingle) await this.#conversation.cancel({ drop: true });
    } finally {
      await this.#conversation.close();
      this.#isOver = true;
    }
  }

  /** Stops what runs and drops what waits; drafts are kept. */
  stop(): Promise<void> {
    return this.#conversation.cancel({ drop: true });
  }

  /** Lets the running turns finish, because all asks together have reached a limit. */
  async pauseAtLimit(): Promise<void> {
    this.#isAtServerLimit = true;
    await this.#conversation.pause();
  }

  #take(event: ConversationEvent): void {
    const step = tell(this.#telling, event);
    this.#telling = step.telling;
    this.#blocks.push(...step.blocks);
    this.#totals.take(event);
    if (event.type === 'turn-start' && event.checks === undefined) this.#turnsStarted += 1;
    for (const listener of this.#listeners) listener(event);
  }
}
