import { cleanMessage } from '../markers/parseMessage.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { messageNumber } from '../models/ids.js';
import { keepLines } from './PromptLayout.js';
import type { PromptContextMessage } from './types.js';

/** The messages of a conversation in order, and how prompts show them. */
export class MessageList {
  #messages: ConversationMessage[] = [];
  /** Their prompt forms, each made once for all members and all turns. */
  #shown: (PromptContextMessage | undefined)[] = [];
  readonly #maxMessages: number;

  constructor(maxMessages = Number.POSITIVE_INFINITY) {
    this.#maxMessages = maxMessages;
  }

  get length(): number {
    return this.#messages.length;
  }

  at(index: number): ConversationMessage | undefined {
    return this.#messages[index];
  }

  toArray(): ConversationMessage[] {
    return [...this.#messages];
  }

  append(message: ConversationMessage): void {
    this.#messages.push(message);
    this.#shown.push(undefined);
    if (this.length <= this.#maxMessages) return;
    this.#messages.shift();
    this.#shown.shift();
  }

  replaceAll(messages: readonly ConversationMessage[]): void {
    this.#messages = messages.slice(Math.max(0, messages.length - this.#maxMessages));
    this.#shown = this.#messages.map(() => undefined);
  }

  /** Ids count up, so a message is usually as far from the last as its number is. */
  indexOf(id: string): number {
    const last = messageNumber(this.at(this.length - 1)?.id ?? '');
    const guess = this.length - 1 - (last - messageNumber(id));
    if (this.at(guess)?.id === id) return guess;
    return this.#messages.findLastIndex((message) => message.id === id);
  }

  /** Whether a message of this id must have been here: its number is below that of the oldest one kept. */
  hasForgotten(id: string): boolean {
    const number = messageNumber(id);
    return number > 0 && number < messageNumber(this.at(0)?.id ?? '');
  }

  /** Prompt form of a message: markers stripped, recipients as text. */
  shownAt(index: number): PromptContextMessage {
    const known = this.#shown[index];
    if (known !== undefined) return known;
    const shown = showMessage(this.#messages[index] as ConversationMessage);
    this.#shown[index] = shown;
    return shown;
  }

  /** The messages from `start` up to and without `end`, as they are shown. */
  showRange(start: number, end: number): readonly PromptContextMessage[] {
    for (let index = start; index < end; index++) this.shownAt(index);
    return this.#shown.slice(start, end) as PromptContextMessage[];
  }
}

function showMessage({ speaker, routing, content }: ConversationMessage): PromptContextMessage {
  const addressees = routing?.resolvedAddressees ?? [];
  return keepLines({
    from: speaker.roleName,
    to: addressees.length === 0 ? 'all' : addressees.join(', '),
    content: cleanMessage(content, speaker.type),
  });
}
