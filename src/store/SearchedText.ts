import type { RecordedEvent } from '../models/ConversationEvent.js';
import { foldText } from '../utils/foldText.js';

/** A text that is looked for in others, in capitals or not, in whatever form its letters are written. */
export class SearchedText {
  readonly #folded: string;
  /** The same as it stands in JSON; undefined if it cannot be told apart from JSON there. */
  readonly #inJson: string | undefined;

  constructor(text: string) {
    this.#folded = foldText(text);
    this.#inJson = /["\\]/u.test(this.#folded) ? undefined : JSON.stringify(this.#folded).slice(1, -1);
  }

  isIn(text: string): boolean {
    return foldText(text).includes(this.#folded);
  }

  isSaidIn(event: RecordedEvent): boolean {
    return event.type === 'message-added' && this.isIn(event.message.content);
  }

  /** The same of an event as text. Words of a damaged one are not found: reading its conversation tells what is wrong with it. */
  isSaidInBody(body: string): boolean {
    if (!this.#mayBeIn(body)) return false;
    try {
      return this.isSaidIn(JSON.parse(body) as RecordedEvent);
    } catch {
      return false;
    }
  }

  /** Whether an event can be one in which it is said; quicker than reading the event. */
  #mayBeIn(body: string): boolean {
    return this.#inJson === undefined || foldText(body).includes(this.#inJson);
  }
}
