import type { House } from '../../../coordinator/Conversations.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId } from '../../../models/ids.js';
import { FollowedConversation, type FollowingOptions } from './FollowedConversation.js';
import type { KnownStates } from './KnownStates.js';
import { LiveConversation } from './LiveConversation.js';
import { readEnd } from './readBlocks.js';

export interface FollowedOptions extends Omit<FollowingOptions, 'house' | 'onForgotten'> {
  /** The conversations of which an id is one. */
  readonly houseOf: (id: ConversationId) => House;
  readonly states: KnownStates;
}

/** The conversations that someone looks at or that are open for writing: each of them once. */
export class FollowedConversations {
  readonly #options: FollowedOptions;
  readonly #followed = new Map<ConversationId, FollowedConversation>();
  readonly #loading = new Map<ConversationId, Promise<FollowedConversation>>();
  #isClosed = false;

  constructor(options: FollowedOptions) {
    this.#options = options;
  }

  find(id: string): FollowedConversation | undefined {
    return this.#followed.get(id as ConversationId);
  }

  ids(): readonly ConversationId[] {
    return [...this.#followed.keys()];
  }

  /** Works with a conversation, which is kept until that is done. Rejects with UNKNOWN_CONVERSATION. */
  async using<Value>(
    id: ConversationId,
    work: (followed: FollowedConversation) => Promise<Value>,
  ): Promise<Value> {
    const { followed, release } = await this.use(id);
    try {
      return await work(followed);
    } finally {
      release();
    }
  }

  /** A conversation, which is kept until `release` is called. Rejects with UNKNOWN_CONVERSATION. */
  async use(id: ConversationId): Promise<{ followed: FollowedConversation; release: () => void }> {
    for (;;) {
      if (this.#isClosed) throw new HuddleError('CONVERSATION_CLOSED', {});
      const followed = this.#followed.get(id) ?? (await this.#load(id));
      // It may have been forgotten while we waited for it; then another one takes its place.
      if (this.#followed.get(id) === followed) return { followed, release: followed.use() };
    }
  }

  /** Closes all of them; none is followed from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#loading.values()]);
    const closed = await Promise.allSettled([...this.#followed.values()].map((each) => each.close()));
    for (const end of closed) if (end.status === 'rejected') this.#options.onError(end.reason);
  }

  #load(id: ConversationId): Promise<FollowedConversation> {
    const loading = this.#loading.get(id) ?? this.#read(id).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  async #read(id: ConversationId): Promise<FollowedConversation> {
    const house = this.#options.houseOf(id);
    const { summary, reader } = await house.read(id);
    try {
      // An id that is shortened would make it another one.
      if (summary.id !== id) throw new HuddleError('UNKNOWN_CONVERSATION', { id });
      const live = new LiveConversation(id, await readEnd(reader, 1, this.#options.states));
      const onForgotten = () => this.#followed.delete(id);
      const followed = new FollowedConversation(live, { ...this.#options, house, onForgotten });
      this.#followed.set(id, followed);
      return followed;
    } finally {
      await reader.close();
    }
  }
}
