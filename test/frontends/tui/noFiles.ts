import { TurnIndex } from '../../../src/conversation/turnIndex.js';
import type { Conversation } from '../../../src/coordinator/Conversation.js';
import { HuddleError } from '../../../src/models/errors.js';

const refuse = async () => {
  throw new HuddleError('FILES_NOT_RECORDED', {});
};

/** The part of a conversation that is about files, where nothing is recorded of them. */
export const NO_FILES: Pick<Conversation, 'files' | 'diff' | 'undo' | 'apply'> = {
  files: async () => ({
    members: [],
    units: [],
    unitsBefore: 0,
    importedSeq: 0,
    turns: new TurnIndex(),
  }),
  diff: refuse,
  undo: refuse,
  apply: refuse,
};
