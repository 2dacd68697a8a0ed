import type { AgentEvent } from '../models/AgentEvent.js';
import { GatheredText } from '../utils/GatheredText.js';

const BLOCK_SEPARATOR = '\n\n';

/** The text of a turn as far as it has come: whole blocks, and the one that is being written. */
export class Draft {
  readonly #blocks: string[] = [];
  readonly #pending = new GatheredText();

  add(event: AgentEvent): void {
    if (event.type === 'text-delta') this.#pending.add(event.text);
    if (event.type === 'text' || event.type === 'text-reset') this.#pending.clear();
    if (event.type === 'text' && event.text !== '') this.#blocks.push(event.text);
  }

  get text(): string {
    return [...this.#blocks, this.#pending.text].filter((block) => block !== '').join(BLOCK_SEPARATOR);
  }
}
