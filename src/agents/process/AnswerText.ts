import { truncateToBytes, utf8Length } from '../../utils/bytes.js';
import type { TurnEvent } from '../Dialect.js';

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const BLOCK_SEPARATOR = '\n\n';

/** The answer of a turn, folded from its events: settled blocks, and the deltas of the block being written. */
export class AnswerText {
  readonly #maxBytes: number;
  readonly #blocks: string[] = [];
  #deltas: string[] = [];
  #blockBytes = 0;
  #deltaBytes = 0;
  #cutBytes = 0;

  constructor(maxBytes = DEFAULT_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  add(event: TurnEvent): void {
    if (event.type === 'text-delta') {
      const text = this.#fit(event.text);
      this.#deltas.push(text);
      this.#deltaBytes += utf8Length(text);
    } else if (event.type === 'text') {
      this.#dropDeltas();
      const text = this.#fit(event.text);
      if (text !== '') this.#blocks.push(text);
      this.#blockBytes += utf8Length(text);
    } else if (event.type === 'text-reset') {
      this.#dropDeltas();
    }
  }

  /** The whole answer: the settled blocks, or the deltas where the agent settles none. */
  get text(): string {
    return this.#render(this.#blocks.length > 0 ? this.#blocks : [this.#deltas.join('')]);
  }

  /** All that has arrived, settled or not. */
  get draft(): string {
    return this.#render([...this.#blocks, this.#deltas.join('')]);
  }

  #dropDeltas(): void {
    this.#deltas = [];
    this.#deltaBytes = 0;
    this.#cutBytes = 0;
  }

  #fit(text: string): string {
    const room = this.#maxBytes - this.#blockBytes - this.#deltaBytes;
    const bytes = utf8Length(text);
    if (bytes <= room) return text;
    const kept = truncateToBytes(text, room);
    this.#cutBytes += bytes - utf8Length(kept);
    return kept;
  }

  #render(blocks: readonly string[]): string {
    const text = blocks
      .filter((block) => block !== '')
      .join(BLOCK_SEPARATOR)
      .toWellFormed();
    return this.#cutBytes === 0 ? text : `${text}\n[… ${this.#cutBytes} bytes cut]`;
  }
}
