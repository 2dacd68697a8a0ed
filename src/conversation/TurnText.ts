import { GatheredText } from '../utils/GatheredText.js';

const BLOCK_SEPARATOR = '\n\n';

/** The text of a turn as far as it has come: whole blocks, and the one that is being written. */
export class TurnText {
  readonly blocks: string[] = [];
  readonly #begun = new GatheredText();

  add(event: { readonly type: string; readonly text?: string }): void {
    const { type, text = '' } = event;
    if (type === 'text-delta') this.#begun.add(text);
    if (type === 'text' || type === 'text-reset') this.#begun.clear();
    if (type === 'text') this.blocks.push(text);
  }

  /** The block that is being written. */
  get begun(): string {
    return this.#begun.text;
  }

  get text(): string {
    return [...this.blocks, this.begun].filter((block) => block !== '').join(BLOCK_SEPARATOR);
  }
}
