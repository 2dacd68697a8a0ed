import type { ReaderEvent, TurnEvent } from '../dialect/Dialect.js';
import { HeldText } from './HeldText.js';

const BLOCK_SEPARATOR = '\n\n';

/** The answer of a turn, folded from its events: settled blocks, and the deltas of the block being written. */
export class AnswerText {
  readonly #settled: HeldText;
  #pending: HeldText;

  constructor(settled = new HeldText()) {
    this.#settled = settled;
    this.#pending = this.#createPending();
  }

  /** Gives back the event to tell: in the place of an end of deltas the block that they are. */
  add(event: ReaderEvent): TurnEvent {
    if (event.type === 'text-delta') this.#pending.append(event.text);
    if (event.type === 'text' || event.type === 'text-reset') this.#pending = this.#createPending();
    if (event.type === 'text') this.#pending.append(event.text);
    const told: TurnEvent = event.type === 'text-end' ? { type: 'text', text: this.#pending.text } : event;
    if (told.type === 'text') this.#settle();
    return told;
  }

  /** The whole answer: the settled blocks, or the deltas where the agent settles none. */
  get text(): string {
    return this.#settled.isEmpty ? this.draft : this.#settled.text;
  }

  /** All that has arrived, settled or not. */
  get draft(): string {
    const blocks = [this.#settled.text, this.#pending.text];
    return blocks.filter((block) => block !== '').join(BLOCK_SEPARATOR);
  }

  #settle(): void {
    if (!this.#pending.isEmpty && !this.#settled.isEmpty) this.#settled.append(BLOCK_SEPARATOR);
    this.#settled.absorb(this.#pending);
    this.#pending = this.#createPending();
  }

  #createPending(): HeldText {
    return this.#settled.fork(this.#settled.isEmpty ? 0 : BLOCK_SEPARATOR.length);
  }
}
