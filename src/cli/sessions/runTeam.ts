import type { Conversation } from '../../coordinator/Conversation.js';
import type { CliContext } from '../start/CliContext.js';
import type { RunFlags } from '../start/RunFlags.js';
import type { ChosenTeam } from '../team/chooseTeam.js';
import { runConversation } from './runConversation.js';

export interface NewRunFlags extends RunFlags {
  /** The session is not saved. */
  readonly ephemeral?: boolean;
}

/** Runs a new conversation of a team to its end. */
export function runTeam(
  chosen: ChosenTeam,
  begin: (conversation: Conversation) => Promise<unknown>,
  { outputFormat, final, debugFile, ephemeral }: NewRunFlags,
  context: CliContext,
): Promise<number> {
  const persistence = ephemeral ? undefined : {};
  return runConversation({ ...chosen, outputFormat, final, debugFile, begin, persistence }, context);
}
