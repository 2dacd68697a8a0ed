import { describeError } from '../../../catalogue/errors.js';
import type { HuddleError } from '../../../models/errors.js';
import type { WireError } from '../wire.js';

/** An error as it is told to a page, in the language of the process. */
export function toWireError(error: HuddleError, hint?: string): WireError {
  return { code: error.code, message: describeError(error), ...(hint !== undefined && { hint }) };
}
