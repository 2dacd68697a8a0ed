import { HuddleError } from '../../models/errors.js';

/** The refusal of a request that cannot be done as it is; nothing has happened. */
export function invalidRequest(sentence: string): HuddleError {
  return new HuddleError('INVALID_REQUEST', sentence);
}
