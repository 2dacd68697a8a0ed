import { utf8Length } from '../utils/bytes.js';
import type { LineFormat } from './PromptLayout.js';
import type { PromptContextMessage } from './types.js';

/** The lines of a history and their sizes in UTF-8. */
export interface HistoryLines {
  bytesAt(index: number): number;
  textAt(index: number): string;
}

const NOT_RENDERED = -1;
/** Longest line that is cached; of a longer one only the size: few budgets have room for it, and every copy costs memory. */
const LONG_LINE_BYTES = 64 * 1024;

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
    return this.bytesAt(index) > LONG_LINE_BYTES ? this.#lineAt(index) : (this.#texts[index] as string);
  }

  #render(index: number): number {
    while (this.#bytes.length < this.#messages.length) {
      this.#bytes.push(NOT_RENDERED);
      this.#texts.push('');
    }
    const text = this.#lineAt(index);
    const bytes = utf8Length(text);
    if (bytes <= LONG_LINE_BYTES) this.#texts[index] = text;
    this.#bytes[index] = bytes;
    return bytes;
  }

  #lineAt(index: number): string {
    return this.#format.render(this.#messageAt(index)).toWellFormed();
  }
}

/** The lines of a history that is a part of `lines`, from `start` on. */
export class LinesFrom implements HistoryLines {
  readonly #lines: RenderedLines;
  readonly #start: number;

  constructor(lines: RenderedLines, start: number) {
    this.#lines = lines;
    this.#start = start;
  }

  bytesAt(index: number): number {
    return this.#lines.bytesAt(this.#start + index);
  }

  textAt(index: number): string {
    return this.#lines.textAt(this.#start + index);
  }
}

/** The lines of a history in one format, from the object that handed it out and remembers them. */
type LineSource = (format: LineFormat) => HistoryLines;

class Returned {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: so that a subclass puts its private field onto `object`.
    return object;
  }
}

/**
 * Marks a history with where its lines are remembered. The mark is a private field put onto the array itself: invisible
 * to comparison, copies and JSON, and ten times cheaper than a WeakMap, which a turn of five short messages would feel.
 */
class Handout extends Returned {
  readonly #source: LineSource;

  constructor(history: readonly PromptContextMessage[], source: LineSource) {
    super(history);
    this.#source = source;
  }

  static sourceOf(history: object): LineSource | undefined {
    return #source in history ? history.#source : undefined;
  }
}

/** Makes a history that finds its lines again. It is frozen, so that they stay true. */
export function handOut(
  history: PromptContextMessage[],
  source: LineSource,
): readonly PromptContextMessage[] {
  new Handout(history, source);
  return Object.freeze(history);
}

/** The lines of a history: as rendered before, where its conversation remembers them, else for this prompt only. */
export function findLines(history: readonly PromptContextMessage[], format: LineFormat): HistoryLines {
  const source = format.isStable ? Handout.sourceOf(history) : undefined;
  if (source !== undefined) return source(format);
  return new RenderedLines(history, (index) => history[index] as PromptContextMessage, format);
}
