import { cleanMessage } from '../markers/parseMessage.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import type { LineFormat } from './PromptLayout.js';
import { handOut, LinesFrom, RenderedLines } from './renderedLines.js';
import type { PromptContextMessage } from './types.js';

/** Prompt forms of a list of messages that only grows: made once each, for all members and all turns. */
export class ShownMessages {
  readonly #messages: readonly ConversationMessage[];
  readonly #shown: (PromptContextMessage | undefined)[] = [];
  /** Everything between these two indexes has been made. */
  #madeFrom = 0;
  #madeTo = 0;
  readonly #lines = new Map<LineFormat, RenderedLines>();

  constructor(messages: readonly ConversationMessage[]) {
    this.#messages = messages;
  }

  /** Prompt form of a message: markers stripped, recipients as text. */
  at(index: number): PromptContextMessage {
    while (this.#shown.length < this.#messages.length) this.#shown.push(undefined);
    const known = this.#shown[index];
    if (known !== undefined) return known;
    const message = this.#messages[index] as ConversationMessage;
    const shown = showMessage(message, cleanMessage(message.content, message.speaker.type));
    this.#shown[index] = shown;
    return shown;
  }

  /** Keeps the newest message, whose markers the caller has stripped already. */
  keepNewest(cleanContent: string): void {
    const index = this.#messages.length - 1;
    while (this.#shown.length < index) this.#shown.push(undefined);
    this.#shown[index] = showMessage(this.#messages[index] as ConversationMessage, cleanContent);
  }

  /** The messages from `start` up to and without `end`, as a history. */
  range(start: number, end: number): readonly PromptContextMessage[] {
    this.#make(start, end);
    const history = this.#shown.slice(start, end) as PromptContextMessage[];
    return handOut(history, (format) => new LinesFrom(this.#linesIn(format), start));
  }

  /** Single messages in the order given, as a history. */
  each(indexes: readonly number[]): readonly PromptContextMessage[] {
    const history = indexes.map((index) => this.at(index));
    const original = (index: number) => indexes[index] as number;
    return handOut(history, (format) => {
      const lines = this.#linesIn(format);
      return {
        bytesAt: (index) => lines.bytesAt(original(index)),
        textAt: (index) => lines.textAt(original(index)),
      };
    });
  }

  #make(start: number, end: number): void {
    if (start > this.#madeTo || end < this.#madeFrom) this.#madeFrom = this.#madeTo = start;
    for (let index = start; index < this.#madeFrom; index++) this.at(index);
    for (let index = this.#madeTo; index < end; index++) this.at(index);
    this.#madeFrom = Math.min(start, this.#madeFrom);
    this.#madeTo = Math.max(end, this.#madeTo);
  }

  #linesIn(format: LineFormat): RenderedLines {
    const known = this.#lines.get(format);
    if (known !== undefined) return known;
    const lines = new RenderedLines(this.#messages, (index) => this.at(index), format);
    this.#lines.set(format, lines);
    return lines;
  }
}

function showMessage({ speaker, routing }: ConversationMessage, content: string): PromptContextMessage {
  return Object.freeze({
    from: speaker.roleName,
    to: formatAddressees(routing?.resolvedAddressees),
    content,
  });
}

/** Formats the recipients; none means all. */
function formatAddressees(addressees: readonly string[] = []): string {
  return addressees.length === 0 ? 'all' : addressees.join(', ');
}
