import { constants } from 'node:os';
import type { ConversationOutcome } from '../../conversation/questions.js';

/** Every way in which the program ends by itself. */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  usage: 2,
  waitingForHuman: 3,
  notLoggedIn: 4,
  limitReached: 5,
  differs: 6,
  sessionUnreadable: 65,
  agentMissing: 69,
  cannotWrite: 74,
  sessionOpenElsewhere: 75,
  notTrusted: 77,
  teamFileInvalid: 78,
} as const;

export const EXIT_CODE_OF_OUTCOME: Readonly<Record<ConversationOutcome, number>> = {
  done: EXIT_CODES.done,
  waiting: EXIT_CODES.waitingForHuman,
  limit: EXIT_CODES.limitReached,
  'not-logged-in': EXIT_CODES.notLoggedIn,
  'agent-missing': EXIT_CODES.agentMissing,
  failed: EXIT_CODES.failed,
  'no-recipient': EXIT_CODES.failed,
  cancelled: EXIT_CODES.failed,
};

/** By the code of a HuddleError or of the system; any other is `failed`. */
export const EXIT_CODE_OF_ERROR: ReadonlyMap<string, number> = new Map([
  ['USAGE', EXIT_CODES.usage],
  ['UNKNOWN_CONVERSATION', EXIT_CODES.usage],
  ['UNKNOWN_WORKER', EXIT_CODES.usage],
  ['CONVERSATION_EXISTS', EXIT_CODES.usage],
  ['TITLE_TOO_LONG', EXIT_CODES.usage],
  ['UNKNOWN_MESSAGE', EXIT_CODES.usage],
  ['UNKNOWN_TURN', EXIT_CODES.usage],
  ['UNKNOWN_MEMBER', EXIT_CODES.usage],
  ['UNKNOWN_CHANGE', EXIT_CODES.usage],
  ['UNKNOWN_FILE', EXIT_CODES.usage],
  ['SEVERAL_COPIES', EXIT_CODES.usage],
  ['OTHER_TEAM', EXIT_CODES.usage],
  ['NOTHING_TO_REPLAY', EXIT_CODES.usage],
  ['STORE_DAMAGED', EXIT_CODES.sessionUnreadable],
  ['STORE_NEWER', EXIT_CODES.sessionUnreadable],
  ['STORE_OLDER', EXIT_CODES.sessionUnreadable],
  ['INVALID_IMPORT', EXIT_CODES.sessionUnreadable],
  ['INVALID_CASSETTE', EXIT_CODES.sessionUnreadable],
  ['STORE_WRITE', EXIT_CODES.cannotWrite],
  ['STORE_OUT_OF_REACH', EXIT_CODES.cannotWrite],
  ['STORE_REFUSED', EXIT_CODES.notTrusted],
  ['STORE_NOT_SET_UP', EXIT_CODES.teamFileInvalid],
  ['STORE_URL', EXIT_CODES.teamFileInvalid],
  ['NOT_YOURS', EXIT_CODES.notTrusted],
  ['NOT_IN_CONVERSATION', EXIT_CODES.notTrusted],
  ['ROLE_NOT_IN_TEAM', EXIT_CODES.notTrusted],
  ['STORES_FILE_UNSAFE', EXIT_CODES.notTrusted],
  ['STORES_FILE_INVALID', EXIT_CODES.teamFileInvalid],
  ['UNKNOWN_STORE', EXIT_CODES.teamFileInvalid],
  ['STORE_NAME_TAKEN', EXIT_CODES.usage],
  ['UNKNOWN_ROLE', EXIT_CODES.usage],
  ['CONVERSATION_LOCKED', EXIT_CODES.sessionOpenElsewhere],
  ['LEASE_LOST', EXIT_CODES.sessionOpenElsewhere],
  ['AGENT_MISSING', EXIT_CODES.agentMissing],
  ['TEAM_FILE_INVALID', EXIT_CODES.teamFileInvalid],
  ['KEY_UNREADABLE', EXIT_CODES.teamFileInvalid],
  ['NEEDS_SHARED_STORE', EXIT_CODES.usage],
  ['TEAM_FILE_MISSING', EXIT_CODES.teamFileInvalid],
  ['CONFIG_INVALID', EXIT_CODES.teamFileInvalid],
  ['TEAM_FILE_EXISTS', EXIT_CODES.usage],
  ['FOLDER_NOT_TRUSTED', EXIT_CODES.notTrusted],
  ['NESTED', EXIT_CODES.notTrusted],
  ['FILE_OPEN_TO_OTHERS', EXIT_CODES.notTrusted],
  ['TRUST_RECORD_DAMAGED', EXIT_CODES.notTrusted],
  ['CANNOT_WRITE', EXIT_CODES.cannotWrite],
  ['DATA_FOLDER', EXIT_CODES.cannotWrite],
  ['FILE_LOCKED', EXIT_CODES.cannotWrite],
  ['ENOSPC', EXIT_CODES.cannotWrite],
  ['EDQUOT', EXIT_CODES.cannotWrite],
  ['EROFS', EXIT_CODES.cannotWrite],
  ['EIO', EXIT_CODES.cannotWrite],
]);

/** As shells count them: 128 and the number of the signal. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
