import type { ShownMember } from '../../presentation/Block.js';
import type { LineWriter } from './LineWriter.js';
import { headMember } from './sentences.js';

interface Answer {
  readonly member: ShownMember;
  readonly text: string;
}

/** The answers that are written: all of them, or only the last one. */
export type WantedAnswers = 'all' | 'last';

/** Writes answers and nothing else: one alone as it is, several each under the name of its author. */
export class AnswerWriter {
  readonly #writer: LineWriter;
  readonly #wanted: WantedAnswers;
  /** The last one, or the first one while it is not known whether another follows. */
  #held: Answer | undefined;
  #hasSeveral = false;

  constructor(writer: LineWriter, wanted: WantedAnswers) {
    this.#writer = writer;
    this.#wanted = wanted;
  }

  take(answer: Answer): void {
    if (this.#wanted === 'all' && (this.#held !== undefined || this.#hasSeveral)) {
      this.#hasSeveral = true;
      if (this.#held !== undefined) this.#writeUnderName(this.#held);
      this.#writeUnderName(answer);
      this.#held = undefined;
    } else this.#held = answer;
  }

  end(): void {
    if (this.#held !== undefined) this.#writer.writeAlone(this.#held.text, this.#wanted === 'last');
    this.#held = undefined;
  }

  #writeUnderName({ member, text }: Answer): void {
    this.#writer.begin('name', headMember(member));
    this.#writer.write(text);
    this.#writer.endLine();
  }
}
