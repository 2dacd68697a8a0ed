import { describeError } from '../../../catalogue/errors.js';
import { HuddleError } from '../../../models/errors.js';

/** The reason why what a person typed was not done. */
export function describeFailedAttempt(error: unknown): string {
  if (error instanceof HuddleError) return describeError(error);
  return error instanceof Error ? error.message : String(error);
}

/** Whether a text would stand where the message has to be typed that the error asks for. */
export function isInTheWay(text: string, error: unknown): boolean {
  return /^[/／]/u.test(text) && error instanceof HuddleError && error.code === 'HOLDER_GONE';
}
