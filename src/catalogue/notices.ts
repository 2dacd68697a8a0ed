import type { TurnWarning } from '../models/AgentEvent.js';
import type { Notice } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import { english } from './english.js';

/** The sentence of a notice. */
export function describeNotice(notice: Notice, nameOf: (memberId: MemberId) => string): string {
  // The compiler does not see that the code of a notice chooses the sentence that takes it.
  const sentence = english.notices[notice.code] as (notice: Notice, names: typeof nameOf) => string;
  return sentence(notice, nameOf);
}

/** The sentence of a warning about a member's turn. */
export function describeWarning(warning: TurnWarning): string {
  const sentence = english.warnings[warning.code] as (warning: TurnWarning) => string;
  return sentence(warning);
}
