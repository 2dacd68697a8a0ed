import type { Conversation } from '../../coordinator/Conversation.js';
import type { Conversations, OpenChoice } from '../../coordinator/Conversations.js';
import type { ConversationId } from '../../models/ids.js';
import type { SessionChoices } from './sessionChoices.js';
import { ConversationView } from './view/ConversationView.js';
import type { ViewTarget } from './view/ViewTarget.js';

/** The part of a session that a client gives with it, anew whenever it opens one. */
export type SessionPlace = Pick<OpenChoice, 'folder' | 'additionalFolders' | 'mcpServers'>;

/** A conversation that is open, and shown to the client. */
export interface HeldConversation {
  readonly conversation: Conversation;
  readonly view: ConversationView;
}

export interface HolderOptions {
  readonly conversations: Conversations;
  readonly target: ViewTarget;
  readonly place: SessionPlace;
  /** Name of the person who speaks. */
  readonly as?: string | undefined;
  /** Name of the program that they speak through. */
  readonly clientName: string;
}

/** Everything for which a conversation has to be opened again when it changes. */
interface Opening extends Pick<SessionChoices, 'permission' | 'fanout'> {
  /** Members may read what was attached so far. */
  readonly hasAttachments: boolean;
}

/** Has one conversation open while it is needed, with the team as it is chosen at the time. */
export class ConversationHolder {
  readonly #id: ConversationId;
  readonly #options: HolderOptions;
  #held: (HeldConversation & { readonly opening: Opening }) | undefined;
  /** Opening and closing, one after the other. */
  #steps: Promise<unknown> = Promise.resolve();

  constructor(id: ConversationId, options: HolderOptions) {
    this.#id = id;
    this.#options = options;
  }

  /** The conversation, if it is open. */
  get held(): HeldConversation | undefined {
    return this.#held;
  }

  /** Opens the conversation, unless it is open in this way; turns that run in another one end first. */
  hold(opening: Opening): Promise<HeldConversation> {
    return this.#inOrder(async () => {
      if (this.#held !== undefined && isSame(this.#held.opening, opening)) return this.#held;
      // How it ended is told to the prompts that wait for it.
      await this.#held?.conversation.settled().catch(() => undefined);
      await this.#letGo();
      this.#held = await this.#open(opening);
      return this.#held;
    });
  }

  /** Lets go of the conversation, so that others can open it. What runs is stopped. */
  release(): Promise<void> {
    return this.#inOrder(() => this.#letGo());
  }

  async #open(opening: Opening) {
    const { conversations, target, place, as } = this.#options;
    const { permission, fanout } = opening;
    const conversation = await conversations.open(this.#id, {
      ...place,
      ...(permission && { permission }),
      ...(fanout && { fanout }),
      interactive: true,
    });
    const view = new ConversationView(conversation, target, { folder: place.folder, as });
    return { conversation, view, opening };
  }

  async #letGo(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    held?.view.close();
    await held?.conversation.close();
  }

  #inOrder<Value>(step: () => Promise<Value>): Promise<Value> {
    const done = this.#steps.then(step);
    this.#steps = done.catch(() => undefined);
    return done;
  }
}

function isSame(one: Opening, other: Opening): boolean {
  return (
    one.permission === other.permission &&
    one.fanout === other.fanout &&
    one.hasAttachments === other.hasAttachments
  );
}
