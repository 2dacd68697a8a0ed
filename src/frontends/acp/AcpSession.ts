import type { ContentBlock, PromptResponse } from '@agentclientprotocol/sdk/unstable';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { Conversations, OpenChoice } from '../../coordinator/Conversations.js';
import type { ConversationId } from '../../models/ids.js';
import { describeCommands } from './commands.js';
import { orCancelled } from './orCancelled.js';
import { type PromptContent, readPrompt } from './readPrompt.js';
import type { SessionChoices } from './sessionChoices.js';
import { ConversationView } from './view/ConversationView.js';
import type { ViewTarget } from './view/ViewTarget.js';

/** A conversation is let go of this long after its last prompt, so that it can be continued elsewhere. */
const HELD_MILLISECONDS = 10 * 60_000;

const CANCELLED: PromptResponse = { stopReason: 'cancelled' };

/** The part of a session that a client gives with it, anew whenever it opens one. */
export type SessionPlace = Pick<OpenChoice, 'folder' | 'additionalFolders' | 'mcpServers'>;

export interface SessionOptions {
  readonly conversations: Conversations;
  readonly target: ViewTarget;
  readonly place: SessionPlace;
  /** Name of the person who speaks. */
  readonly as?: string | undefined;
}

/** A conversation that is open here. */
interface Held {
  readonly conversation: Conversation;
  readonly view: ConversationView;
  /** The choices that it was opened with. */
  readonly choices: SessionChoices;
  readonly hasAttachments: boolean;
}

/** A conversation as one client has it: opened for a prompt, let go of when it has rested. */
export class AcpSession {
  readonly id: ConversationId;
  readonly folder: string;
  choices: SessionChoices = {};
  readonly #options: SessionOptions;
  readonly #prompts = new Set<AbortController>();
  #held: Held | undefined;
  #hasAttachments = false;
  #hasPrompted = false;
  #timer: NodeJS.Timeout | undefined;
  /** Opening and closing, one after the other. */
  #steps: Promise<unknown> = Promise.resolve();

  constructor(id: ConversationId, options: SessionOptions) {
    this.id = id;
    this.folder = options.place.folder;
    this.#options = options;
  }

  announceCommands(): Promise<void> {
    return this.#options.target.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: describeCommands(),
    });
  }

  /** Opens the conversation, so that whatever speaks against that is known. */
  async open(): Promise<void> {
    await this.#hold();
    this.#rest();
  }

  /** Says what a person typed and answers when nothing is left to run; while turns run, in the middle of them. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const content = readPrompt(blocks, this.folder);
    const stop = new AbortController();
    const cancel = () => void this.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    this.#prompts.add(stop);
    clearTimeout(this.#timer);
    try {
      return await orCancelled(this.#answer(content, stop.signal), stop.signal);
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#prompts.delete(stop);
      this.#rest();
    }
  }

  /** Stops everything that was asked for. Prompts that wait are answered as cancelled. */
  async cancel(): Promise<void> {
    if (this.#prompts.size === 0) return;
    for (const stop of this.#prompts) stop.abort();
    await this.#held?.conversation.cancel({ drop: true });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.cancel();
    await this.#inOrder(() => this.#release());
  }

  async #answer(content: PromptContent, signal: AbortSignal): Promise<PromptResponse> {
    if (!this.#hasPrompted) await this.announceCommands();
    this.#hasPrompted = true;
    const text = content.text;
    const { conversation, view } = await this.#hold();
    if (signal.aborted) return CANCELLED;
    if (this.#prompts.size === 1) view.begin();
    await conversation.send(text, { ...(this.#options.as !== undefined && { as: this.#options.as }) });
    return view.finish();
  }

  /** The conversation, with the team as it is chosen now. */
  #hold(): Promise<Held> {
    return this.#inOrder(async () => {
      if (this.#held !== undefined && this.#isCurrent(this.#held)) return this.#held;
      await this.#held?.conversation.settled();
      await this.#release();
      this.#held = await this.#open();
      return this.#held;
    });
  }

  async #open(): Promise<Held> {
    const { conversations, target, place } = this.#options;
    const { choices } = this;
    const { permission, fanout } = choices;
    const conversation = await conversations.open(this.id, {
      ...place,
      ...(permission && { permission }),
      ...(fanout && { fanout }),
      interactive: true,
    });
    const view = new ConversationView(conversation, target, { folder: this.folder });
    return { conversation, view, choices, hasAttachments: this.#hasAttachments };
  }

  #isCurrent({ choices, hasAttachments }: Held): boolean {
    const { permission, fanout } = this.choices;
    return (
      choices.permission === permission &&
      choices.fanout === fanout &&
      hasAttachments === this.#hasAttachments
    );
  }

  async #release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    held?.view.close();
    await held?.conversation.close();
  }

  #rest(): void {
    if (this.#prompts.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#inOrder(() => this.#release()), HELD_MILLISECONDS);
    this.#timer.unref();
  }

  #inOrder<Value>(work: () => Promise<Value>): Promise<Value> {
    const step = this.#steps.then(work);
    this.#steps = step.catch(() => undefined);
    return step;
  }
}
