import { words } from '../../catalogue/words.js';
import type { TurnProgress } from '../../models/ConversationEvent.js';

const BLOCK_SEPARATOR = '\n\n';
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/u;

/** Follows an answer while it is written: what is still to be printed after each event. Nothing can be taken back. */
export class LiveAnswer {
  /** The printed part of the block that is being written. */
  #block = '';
  /** Half of a character whose other half has not come yet. */
  #held = '';
  #hasText = false;

  get hasText(): boolean {
    return this.#hasText;
  }

  take(event: TurnProgress['event']): string {
    switch (event.type) {
      case 'text-delta':
        return this.#hold(this.#grow(event.text));
      case 'text':
        return this.#hold(this.#settle(event.text));
      case 'text-reset':
        return this.#giveUp();
      case 'thinking':
      case 'tool-detail':
      case 'waiting':
      case 'usage':
      case 'raw':
        return '';
    }
  }

  #grow(text: string): string {
    if (text === '') return '';
    const printed = this.#separate(text);
    this.#block += text;
    return printed;
  }

  #settle(text: string): string {
    const isContinued = this.#block !== '' && text.startsWith(this.#block);
    const printed = isContinued ? text.slice(this.#block.length) : this.#giveUp() + this.#separate(text);
    this.#block = '';
    return printed;
  }

  #giveUp(): string {
    if (this.#block === '') return '';
    this.#block = '';
    return `\n${words.print.startsAgain}`;
  }

  #separate(text: string): string {
    const isNewBlock = this.#block === '' && this.#hasText;
    this.#hasText = true;
    return isNewBlock ? BLOCK_SEPARATOR + text : text;
  }

  #hold(text: string): string {
    const whole = this.#held + text;
    this.#held = HIGH_SURROGATE_AT_END.exec(whole)?.[0] ?? '';
    return whole.slice(0, whole.length - this.#held.length);
  }
}
