import { describeError } from '../../../catalogue/errors.js';
import { HuddleError } from '../../../models/errors.js';
import { note, type Paragraph } from '../screen/Paragraph.js';

/** Tells why something was not done, each failure once: a log that cannot be written fails for all that wait for it. */
export class FailedAttempts {
  readonly #told = new WeakSet<Error>();

  describe(error: unknown): readonly Paragraph[] {
    if (!(error instanceof Error)) return [note(String(error), 'bad')];
    if (this.#told.has(error)) return [];
    this.#told.add(error);
    return [note(error instanceof HuddleError ? describeError(error) : error.message, 'bad')];
  }
}

/** Whether a text would stand where the message has to be typed that the error asks for. */
export function isInTheWay(text: string, error: unknown): boolean {
  return /^[/／]/u.test(text) && error instanceof HuddleError && error.code === 'HOLDER_GONE';
}
