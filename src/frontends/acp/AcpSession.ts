import type { ContentBlock, PromptResponse } from '@agentclientprotocol/sdk/unstable';
import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import { ConversationHolder, type HeldConversation, type HolderOptions } from './ConversationHolder.js';
import { type CommandResult, describeCommands, readTypedCommand, runCommand } from './commands.js';
import { orCancelled } from './orCancelled.js';
import { hasAttachments, type PromptContent, readPrompt, writeMessage } from './readPrompt.js';
import { addRecipient, type SessionChoices } from './sessionChoices.js';

/** A conversation is let go of this long after its last prompt, so that it can be continued elsewhere. */
const HELD_MILLISECONDS = 10 * 60_000;

/** A conversation as one client has it: opened for a prompt, let go of when it has rested. */
export class AcpSession {
  readonly id: ConversationId;
  readonly folder: string;
  /** They count from the next prompt on. */
  choices: SessionChoices = {};
  readonly #options: HolderOptions;
  readonly #holder: ConversationHolder;
  /** The prompts that are not answered. */
  readonly #prompts = new Set<AbortController>();
  #hasAttachments = false;
  #hasPrompted = false;
  /** Texts of Huddle itself that were shown. */
  #texts = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(id: ConversationId, options: HolderOptions) {
    this.id = id;
    this.folder = options.place.folder;
    this.#options = options;
    this.#holder = new ConversationHolder(id, options);
  }

  announceCommands(): Promise<void> {
    return this.#options.target.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: describeCommands(),
    });
  }

  /** Opens the conversation, so that what stands against it is known at once. */
  async open(): Promise<void> {
    await this.#hold();
    this.#rest();
  }

  /** Says what a person typed and answers when nothing is left to run; while turns run, in the middle of them. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const content = readPrompt(blocks, this.folder);
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
    const { conversations, as } = this.#options;
    try {
      return await runCommand(command, { conversation, as, fork: () => conversations.fork(this.id) });
    } catch (error) {
      if (!(error instanceof HuddleError)) throw error;
      return { kind: 'shown', text: describeError(error) };
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
    if (leftOut.length > 0) await this.#show(`*${words.acp.leftOut(leftOut)}*`);
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
