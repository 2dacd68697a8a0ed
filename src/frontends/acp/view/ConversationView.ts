import type { PromptResponse } from '@agentclientprotocol/sdk/unstable';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { ViewTarget } from './ViewTarget.js';

/** Shows a live conversation to a client, from now on until `close`. */
export class ConversationView {
  readonly #conversation: Conversation;
  #sent: Promise<unknown> = Promise.resolve();
  readonly #end: () => void;

  constructor(conversation: Conversation, target: ViewTarget, _options: { folder: string }) {
    this.#conversation = conversation;
    this.#end = conversation.subscribe((event) => {
      if (event.type !== 'turn-progress' || event.event.type !== 'text') return;
      const { text } = event.event;
      this.#sent = target.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    });
  }

  begin(): void {}

  async finish(): Promise<Pick<PromptResponse, 'stopReason' | 'usage'>> {
    await this.#conversation.settled();
    await this.#sent;
    return { stopReason: 'end_turn' };
  }

  close(): void {
    this.#end();
  }
}
