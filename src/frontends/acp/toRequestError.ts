import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';

const NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

/** Numbers of the protocol by our codes; all others are `INTERNAL`. */
const NUMBERS: Readonly<Record<string, number>> = {
  UNKNOWN_CONVERSATION: NOT_FOUND,
  INVALID_REQUEST: INVALID_PARAMS,
  INVALID_OPTION: INVALID_PARAMS,
  EMPTY_MESSAGE: INVALID_PARAMS,
  UNKNOWN_SPEAKER: INVALID_PARAMS,
  NO_FOLDER: INVALID_PARAMS,
  NO_READER: INVALID_PARAMS,
  OTHER_TEAM: INVALID_PARAMS,
  TEAM_FILE_INVALID: INVALID_PARAMS,
  TEAM_FILE_MISSING: INVALID_PARAMS,
};

/** An error as clients show it: Huddle's own sentence, and the code for programs. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof HuddleError) {
    const { code } = error;
    return new RequestError(NUMBERS[code] ?? INTERNAL, describeError(error), { code });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new RequestError(INTERNAL, words.cli.unexpected(message), { code: 'UNEXPECTED' });
}
