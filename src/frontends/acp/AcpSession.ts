import type { ContentBlock, PromptResponse } from '@agentclientprotocol/sdk/unstable';
import { describeError } from '../../catalogue/errors.js';
import type { Catalogue } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { Conversations } from '../../coordinator/Conversations.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import { type CommandResult, describeCommands, readTypedCommand, runCommand } from './commands.js';
import { hasAttachments, type PromptContent, readPrompt, writeMessage } from './readPrompt.js';
import { addRecipient, type SessionChoices } from './sessionChoices.js';
import type { SessionPlace } from './sessionRequests.js';
import { ConversationView, type ViewTarget } from './view/ConversationView.js';

/** A conversation is let go of this long after its last prompt, so that it can be continued elsewhere. */
const HELD_MILLISECONDS = 10 * 60_000;

/** Time in which a cancelled prompt is answered, also when its agent takes longer to leave. */
const CANCEL_MILLISECONDS = 2_300;

export interface AcpSessionOptions {
  readonly conversations: Conversations;
  readonly target: ViewTarget;
  readonly place: SessionPlace;
  readonly words: Catalogue;
  /** Name of the person who speaks. */
  readonly as?: string | undefined;
  /** Name of the program that they speak through. */
  readonly clientName: string;
}

/** A conversation as one client has it: opened for a prompt, let go of when it has rested. */
export class AcpSession {
  readonly id: ConversationId;
  readonly folder: string;
  /** They count from the next prompt on. */
  choices: SessionChoices = {};
  readonly #options: AcpSessionOptions;
  readonly #holder: ConversationHolder;
  /** The prompts that are not answered. */
  readonly #prompts = new Set<AbortController>();
  #hasAttachments = false;
  #hasPrompted = false;
  /** Texts of Huddle itself that were shown. */
  #texts = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(id: ConversationId, options: AcpSessionOptions) {
    this.id = id;
    this.folder = options.place.folder;
    this.#options = options;
    this.#holder = new ConversationHolder(id, options);
  }

  announceCommands(): Promise<void> {
    return this.#options.target.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: describeCommands(this.#options.words),
    });
  }

  /** Opens the conversation, so that what stands against it is known at once. */
  async open(): Promise<void> {
    await this.#hold();
    this.#rest();
  }

  /** Says what a person typed and answers when nothing is left to run; while turns run, in the middle of them. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const content = readPrompt(blocks, this.folder, this.#options.words);
    if (signal.aborted) return { stopReason: 'cancelled' };
    const stop = new AbortController();
    // What keeps it from being stopped is told to the prompt itself.
    const cancel = () => void this.cancel().catch(() => undefined);
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
    await this.#holder.held?.conversation.cancel({ drop: true });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    // Letting go stops what could not be cancelled.
    await this.cancel().catch(() => undefined);
    await this.#holder.release();
  }

  async #answer(content: PromptContent, signal: AbortSignal): Promise<PromptResponse> {
    // Clients that opened the session before they knew all about it have missed the first one.
    if (!this.#hasPrompted) await this.announceCommands();
    this.#hasPrompted = true;
    let held = await this.#hold();
    const { conversations } = this.#options;
    const message = await writeMessage(content, (attachment) => conversations.attach(this.id, attachment));
    if (hasAttachments(content)) {
      this.#hasAttachments = true;
      held = await this.#hold();
    }
    if (signal.aborted) return { stopReason: 'cancelled' };
    try {
      return await this.#perform(message, held);
    } catch (error) {
      // It may have ended with the error; the next prompt opens it again.
      if (this.#prompts.size === 1) await this.#holder.release();
      throw error;
    }
  }

  async #perform(message: string, held: HeldConversation): Promise<PromptResponse> {
    const { conversation, view } = held;
    const { as, clientName } = this.#options;
    const result = await this.#interpret(message, held);
    if (result.kind === 'shown') {
      await this.#show(result.text);
      return { stopReason: 'end_turn' };
    }
    view.begin();
    if (result.kind === 'message') {
      const text = addRecipient(result.text, conversation.team, this.choices, as);
      await conversation.send(text, { as, via: { kind: 'acp', name: clientName } });
      if (result.toShow !== undefined) await this.#show(result.toShow);
    }
    return view.finish();
  }

  /** The meaning of a message. A command that cannot be done says why, as the terminal does. */
  async #interpret(message: string, { conversation }: HeldConversation): Promise<CommandResult> {
    const command = readTypedCommand(message);
    if (command === undefined) return { kind: 'message', text: message };
    const { conversations, as, words } = this.#options;
    try {
      return await runCommand(command, { conversation, as, words, fork: () => conversations.fork(this.id) });
    } catch (error) {
      if (!(error instanceof HuddleError)) throw error;
      return { kind: 'shown', text: describeError(error, words) };
    }
  }

  async #hold(): Promise<HeldConversation> {
    const { permission, fanout } = this.choices;
    const before = this.#holder.held;
    const held = await this.#holder.hold({ permission, fanout, hasAttachments: this.#hasAttachments });
    if (permission === 'read' && held !== before) await this.#nameLeftOut();
    return held;
  }

  async #nameLeftOut(): Promise<void> {
    const { leftOut } = await this.#options.conversations.teamOf(this.folder, { permission: 'read' });
    if (leftOut.length > 0) await this.#show(`*${this.#options.words.acp.leftOut(leftOut)}*`);
  }

  async #show(text: string): Promise<void> {
    this.#texts += 1;
    await this.#options.target.update({
      sessionUpdate: 'agent_message_chunk',
      messageId: `huddle.${this.#texts}`,
      content: { type: 'text', text },
    });
  }

  #rest(): void {
    clearTimeout(this.#timer);
    if (this.#prompts.size > 0) return;
    this.#timer = setTimeout(() => void this.#holder.release(), HELD_MILLISECONDS);
    this.#timer.unref();
  }
}

/** A conversation that is open, and shown to the client. */
interface HeldConversation {
  readonly conversation: Conversation;
  readonly view: ConversationView;
}

/** Everything for which a conversation has to be opened again when it changes. */
interface Opening extends Pick<SessionChoices, 'permission' | 'fanout'> {
  /** Members may read what was attached so far. */
  readonly hasAttachments: boolean;
}

/** Has one conversation open while it is needed, with the team as it is chosen at the time. */
class ConversationHolder {
  readonly #id: ConversationId;
  readonly #options: AcpSessionOptions;
  #held: (HeldConversation & { readonly opening: Opening }) | undefined;
  /** Opening and closing, one after the other. */
  #steps: Promise<unknown> = Promise.resolve();

  constructor(id: ConversationId, options: AcpSessionOptions) {
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
    const { conversations, target, place, words, as } = this.#options;
    const { permission, fanout } = opening;
    const conversation = await conversations.open(this.#id, {
      ...place,
      permission,
      fanout,
      interactive: true,
    });
    const view = new ConversationView(conversation, target, { folder: place.folder, words, as });
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

/** The answer to a prompt. Once that is cancelled, it is `cancelled`, whatever else comes of it, and comes soon. */
async function orCancelled(work: Promise<PromptResponse>, signal: AbortSignal): Promise<PromptResponse> {
  const answer: PromptResponse = { stopReason: 'cancelled' };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<PromptResponse>((resolve) => {
    const wait = () => {
      timer = setTimeout(resolve, CANCEL_MILLISECONDS, answer);
    };
    signal.addEventListener('abort', wait, { once: true });
  });
  try {
    const answered = await Promise.race([work, late]);
    return signal.aborted ? { ...answered, ...answer } : answered;
  } catch (error) {
    if (signal.aborted) return answer;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
