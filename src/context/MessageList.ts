import type { ConversationMessage } from '../models/ConversationMessage.js';
import { messageNumber } from '../models/ids.js';
import { ShownMessages } from './ShownMessages.js';
import type { PromptContextMessage } from './types.js';

/** The messages of a conversation in order, and how prompts show them. */
export class MessageList {
  #messages: ConversationMessage[] = [];
  #shown = new ShownMessages(this.#messages);
  /** Number of messages at the front that are dropped but not yet freed. */
  #forgotten = 0;
  readonly #maxMessages: number;

  constructor(maxMessages = Number.POSITIVE_INFINITY) {
    this.#maxMessages = maxMessages;
  }

  get length(): number {
    return this.#messages.length - this.#forgotten;
  }

  at(index: number): ConversationMessage | undefined {
    return index < 0 ? undefined : this.#messages[this.#forgotten + index];
  }

  toArray(): ConversationMessage[] {
    return this.#messages.slice(this.#forgotten);
  }

  /** `cleanContent`: its text without markers, where it is known. */
  append(message: ConversationMessage, cleanContent?: string): void {
    this.#messages.push(message);
    if (cleanContent !== undefined) this.#shown.keepNewest(cleanContent);
    if (this.length > this.#maxMessages) this.#forgetOldest();
  }

  replaceAll(messages: readonly ConversationMessage[]): void {
    this.#messages = messages.slice(Math.max(0, messages.length - this.#maxMessages));
    this.#shown = new ShownMessages(this.#messages);
    this.#forgotten = 0;
  }

  /** Searched from the newest back, since that is where the messages are that people ask for. */
  indexOf(id: string): number {
    const guess = this.#guessIndex(id);
    if (this.at(guess)?.id === id) return guess;
    for (let index = this.length - 1; index >= 0; index--) {
      if (this.at(index)?.id === id) return index;
    }
    return -1;
  }

  /** Whether a message of this id must have been here: its number is below that of the oldest one kept. */
  hasForgotten(id: string): boolean {
    const number = messageNumber(id);
    return number > 0 && number < messageNumber(this.at(0)?.id ?? '');
  }

  shownAt(index: number): PromptContextMessage {
    return this.#shown.at(this.#forgotten + index);
  }

  /** The messages from `start` up to and without `end`, as a history. */
  showRange(start: number, end: number): readonly PromptContextMessage[] {
    return this.#shown.range(this.#forgotten + start, this.#forgotten + end);
  }

  /** Single messages in the order given, as a history. */
  showEach(indexes: readonly number[]): readonly PromptContextMessage[] {
    return this.#shown.each(indexes.map((index) => this.#forgotten + index));
  }

  /** Ids count up, so a message is usually as far from the last as its number is. */
  #guessIndex(id: string): number {
    const last = messageNumber(this.at(this.length - 1)?.id ?? '');
    return this.length - 1 - (last - messageNumber(id));
  }

  /** Giving back costs a copy of the rest, so it waits until a quarter can go at once. */
  #forgetOldest(): void {
    this.#forgotten++;
    if (this.#forgotten * 4 < this.#messages.length) return;
    this.#messages = this.toArray();
    this.#shown = new ShownMessages(this.#messages);
    this.#forgotten = 0;
  }
}
