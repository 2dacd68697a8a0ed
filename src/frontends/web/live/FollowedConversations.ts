import { canCancel } from '../../../conversation/questions.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { House } from '../../../coordinator/Conversations.js';
import type { ConversationEvent, RecordedEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId } from '../../../models/ids.js';
import { LiveConversation, type LiveListener } from './LiveConversation.js';
import { type KnownStates, readPortions } from './LogTail.js';
import { readEnd } from './readBlocks.js';

interface FollowedOptions extends Omit<FollowingOptions, 'house' | 'onForgotten'> {
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

interface FollowingOptions {
  readonly house: Pick<House, 'open' | 'read'>;
  /** The folder agents work in. */
  readonly folder: string;
  /** A conversation that is written elsewhere is looked at this often. */
  readonly lookMilliseconds: number;
  /** A conversation that no browser looks at, and in which nothing runs, is let go of after this. */
  readonly restMilliseconds: number;
  /** Hears of everything recorded. */
  readonly onRecorded: (conversation: FollowedConversation) => void;
  /** It is neither looked at nor open any more. */
  readonly onForgotten: (conversation: FollowedConversation) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * A conversation that someone looks at or that this process has open. Looking takes no lease: events come from the log, read
 * anew again and again, until someone opens it for writing; from then on they come from the conversation itself.
 */
export class FollowedConversation implements LiveListener {
  readonly live: LiveConversation;
  readonly #options: FollowingOptions;
  /** Opening, closing and looking, one after the other. */
  #steps: Promise<unknown> = Promise.resolve();
  #opened: { readonly conversation: Conversation; readonly unsubscribe: () => void } | undefined;
  /** Requests and streams that use it now. */
  #uses = 0;
  #looking: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;
  #isGone = false;

  constructor(live: LiveConversation, options: FollowingOptions) {
    this.live = live;
    this.#options = options;
    live.listen(this);
  }

  get id(): ConversationId {
    return this.live.id;
  }

  /** The conversation, if this process has it open. */
  get conversation(): Conversation | undefined {
    return this.#opened?.conversation;
  }

  /** Keeps it until the returned function is called. */
  use(): () => void {
    this.#uses++;
    this.#consider();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#uses--;
      this.#consider();
    };
  }

  /** Works with it open for writing; it is opened if it is not. Rejects as `Conversations.open` does. */
  async write<Value>(work: (conversation: Conversation) => Promise<Value>): Promise<Value> {
    const conversation = await this.#inOrder(async () => {
      this.#opened ??= await this.#open();
      return this.#opened.conversation;
    });
    try {
      return await work(conversation);
    } finally {
      conversation.settled().catch((error) => this.#giveUp(conversation, error));
    }
  }

  /** Closes it, so that others can open it. What runs is stopped. */
  letGo(): Promise<void> {
    return this.#inOrder(() => this.#close());
  }

  /** Reads events that are in the log. */
  async *read(from: number, to: number): AsyncGenerator<RecordedEvent> {
    const { reader } = await this.#options.house.read(this.id);
    try {
      yield* reader.read(from, to);
    } finally {
      await reader.close();
    }
  }

  /** Closes it, and looks at it no more. */
  async close(): Promise<void> {
    this.#isGone = true;
    await this.letGo();
  }

  onRecorded(): void {
    this.#options.onRecorded(this);
    this.#consider();
  }

  /** Lets go of a conversation that could not be written down: it has ended here, and may be opened again. */
  async #giveUp(failed: Conversation, error: unknown): Promise<void> {
    if (this.conversation !== failed) return;
    this.#options.onError(error);
    await this.letGo().catch(this.#options.onError);
  }

  async #open() {
    const { house, folder } = this.#options;
    const conversation = await house.open(this.id, { folder, interactive: true });
    let waiting: ConversationEvent[] | null = [];
    const unsubscribe = conversation.subscribe((event) => {
      if (waiting === null) this.live.tell(event);
      else waiting.push(event);
    });
    try {
      await this.#readOn();
    } catch (error) {
      await conversation.close();
      throw error;
    }
    for (const event of waiting) this.live.tell(event);
    waiting = null;
    return { conversation, unsubscribe };
  }

  /** Tells what others have recorded. */
  async #readOn(): Promise<void> {
    const { reader } = await this.#options.house.read(this.id);
    try {
      for await (const events of readPortions(reader, this.live.seq + 1))
        for (const event of events) this.live.tell(event);
    } finally {
      await reader.close();
    }
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    // What is recorded last is told too.
    await opened?.conversation.close().finally(opened.unsubscribe);
    this.#consider();
  }

  /** Whether it is open though no browser looks at it and nothing runs. */
  get #isResting(): boolean {
    return this.#uses === 0 && this.#opened !== undefined && !canCancel(this.live.telling.conversation);
  }

  /** Whether what others record has to be looked for. */
  get #isLooking(): boolean {
    return !this.#isGone && this.#uses > 0 && this.#opened === undefined;
  }

  /** Begins or ends looking and resting; it is forgotten when no one has use for it. */
  #consider(): void {
    this.#resting = keepTimer(this.#resting, this.#isResting, this.#options.restMilliseconds, () => {
      this.#resting = undefined;
      this.#inOrder(async () => {
        if (this.#isResting) await this.#close();
      }).catch(this.#options.onError);
    });
    this.#looking = keepTimer(this.#looking, this.#isLooking, this.#options.lookMilliseconds, () => {
      this.#looking = undefined;
      void this.#look();
    });
    if (this.#uses === 0 && this.#opened === undefined) this.#options.onForgotten(this);
  }

  async #look(): Promise<void> {
    try {
      await this.#inOrder(async () => {
        if (this.#isLooking) await this.#readOn();
      });
    } catch (error) {
      this.#isGone = error instanceof HuddleError && error.code === 'UNKNOWN_CONVERSATION';
      if (!this.#isGone) this.#options.onError(error);
    }
    this.#consider();
  }

  #inOrder<Value>(step: () => Promise<Value>): Promise<Value> {
    const done = this.#steps.then(step);
    this.#steps = done.catch(() => undefined);
    return done;
  }
}

/** A timer that runs while it is wanted; it keeps no process alive. */
function keepTimer(
  timer: NodeJS.Timeout | undefined,
  isWanted: boolean,
  milliseconds: number,
  act: () => void,
): NodeJS.Timeout | undefined {
  if (isWanted) return timer ?? setTimeout(act, milliseconds).unref();
  clearTimeout(timer);
  return undefined;
}
