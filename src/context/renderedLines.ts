import { utf8Length } from '../utils/bytes.js';
import type { LineFormat } from './historyLine.js';
import type { PromptContextMessage } from './types.js';

/** The lines of a history and their sizes in UTF-8. */
export interface HistoryLines {
  bytesAt(index: number): number;
  textAt(index: number): string;
}

const NOT_RENDERED = -1;

/** Messages rendered in one format: line and size side by side, each made when it is first asked for. */
export class RenderedLines implements HistoryLines {
  readonly #messages: { readonly length: number };
  readonly #messageAt: (index: number) => PromptContextMessage;
  readonly #format: LineFormat;
  readonly #texts: string[] = [];
  readonly #bytes: number[] = [];

  /** `messages` may grow later, but what it holds stays as it is. */
  constructor(
    messages: { readonly length: number },
    messageAt: (index: number) => PromptContextMessage,
    format: LineFormat,
  ) {
    this.#messages = messages;
    this.#messageAt = messageAt;
    this.#format = format;
  }

  bytesAt(index: number): number {
    const bytes = this.#bytes[index];
    return bytes === undefined || bytes === NOT_RENDERED ? this.#render(index) : bytes;
  }

  textAt(index: number): string {
    this.bytesAt(index);
    return this.#texts[index] as string;
  }

  #render(index: number): number {
    while (this.#bytes.length < this.#messages.length) {
      this.#bytes.push(NOT_RENDERED);
      this.#texts.push('');
    }
    const text = this.#format.render(this.#messageAt(index));
    const bytes = utf8Length(text);
    this.#texts[index] = text;
    this.#bytes[index] = bytes;
    return bytes;
  }
}

/** Who handed a history out and remembers its lines. Such a history is frozen, so that they stay true. */
type LineSource = (format: LineFormat) => HistoryLines;

const sources = new WeakMap<readonly PromptContextMessage[], LineSource>();

export function rememberSource(history: readonly PromptContextMessage[], source: LineSource): void {
  sources.set(history, source);
}

/** The lines of a history: as rendered before, where its conversation remembers them, else for this prompt only. */
export function findLines(history: readonly PromptContextMessage[], format: LineFormat): HistoryLines {
  const source = format.isStable ? sources.get(history) : undefined;
  if (source !== undefined) return source(format);
  return new RenderedLines(history, (index) => history[index] as PromptContextMessage, format);
}
